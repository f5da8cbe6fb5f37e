"""A clock that tests set."""


class FakeTime:
    """The time in seconds; passes only by `sleep`."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        self.seconds += seconds
