"""`python -m papan`: the same as the command `papan`."""

import sys

from papan.cli import main

sys.exit(main())
