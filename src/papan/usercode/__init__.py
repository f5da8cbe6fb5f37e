"""Users' files: loading, testing in a child process, and checking games."""
