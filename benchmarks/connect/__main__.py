"""`python -m benchmarks.connect`."""

from __future__ import annotations

from benchmarks.connect.run import main

if __name__ == "__main__":
    raise SystemExit(main())
