"""The laboratory in the browser: play, study and measure on a local page."""
