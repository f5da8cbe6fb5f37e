"""One game under way, wherever it is played: its state, its clock, its referee."""
