"""`python -m papan` runs the command `papan`."""

import sys

from papan.cli import main

sys.exit(main())
