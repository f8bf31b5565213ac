"""`python -m memoranda`."""

from memoranda.interfaces.cli import main

if __name__ == "__main__":
    main()
