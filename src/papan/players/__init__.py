"""Players: random, searching, genetic, human and external ones."""
