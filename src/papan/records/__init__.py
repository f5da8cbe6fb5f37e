"""Game records: what is kept of a game, and how it is written down."""
