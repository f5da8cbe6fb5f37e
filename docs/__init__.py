"""The documentation, and what measures and draws its tables and pictures."""
