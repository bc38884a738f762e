"""All messages of the laboratory: the one description of what page, server and processes exchange.

``requests`` is what the page sends, ``answers`` what it gets, ``workers`` what the server and its
processes say to each other. ``typescript`` writes the page's half for the scripts.
"""
