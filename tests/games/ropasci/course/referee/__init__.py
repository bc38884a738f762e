"""A referee with the interface of the course's, for tests; the rules are the readable ones."""
