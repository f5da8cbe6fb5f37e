"""Game records: their contents, their text form, and a database of them."""
