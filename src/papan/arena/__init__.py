"""Games between players: referee, matches, tournaments."""
