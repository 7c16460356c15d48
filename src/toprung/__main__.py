"""``python -m toprung``: the command line, where it is not on the path."""

from toprung.cli.main import main

if __name__ == "__main__":
    main()
