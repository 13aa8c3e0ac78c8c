"""`python -m harness`: the command `trailcam` where it is not installed."""
from harness.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
