"""Search algorithms, one in each module, and the code that they share."""
