"""Grading of bots: legality, time, strength against the levels, and blunders (docs/grading.md)."""
