"""The engines that solve a puzzle, one kind of answer for all, and their searches step by step."""
