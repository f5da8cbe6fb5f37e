"""Alpha-beta search: one `negamax` whose techniques are types."""
