"""Grading a bot: legality, time, strength on the ladder of levels, blunders (docs/grading.md)."""
