"""Stand-ins: small games and players that tests can do with as they like."""
