"""The documentation, and the scripts that create its tables and pictures."""
