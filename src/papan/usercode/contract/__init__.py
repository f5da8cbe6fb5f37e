"""What every game must hold to, checked on random games."""
