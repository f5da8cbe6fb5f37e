"""Measurements of the searches: what each kind of `papan bench` counts and times.

Each module has rows as dataclasses and a generator `measure` that yields them one by one, so that
whoever shows them can tell how far it is, and keeps what is finished when it is interrupted.
"""
