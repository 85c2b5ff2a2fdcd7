"""`python -m qaviz`."""

from qaviz.cli import main

raise SystemExit(main())
