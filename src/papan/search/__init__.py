"""Search algorithms, one a module, and what they share."""
