"""``python -m petteia``."""

from petteia.cli import main

if __name__ == "__main__":
    main()
