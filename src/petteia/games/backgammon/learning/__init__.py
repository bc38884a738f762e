"""How the shipped networks are trained, on the processor and on a graphics processor."""
