"""One game in progress: state, clock and referee."""
