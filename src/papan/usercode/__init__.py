"""Files of users: loading, trying out in a process of their own, and checking games."""
