"""What a move was worth: chances of winning, luck, errors and their classes, for every face."""
