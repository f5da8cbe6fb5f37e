"""A grade in one or two sentences."""

from __future__ import annotations

from collections.abc import Iterator

from papan.arena.grade.exam import Grade
from papan.messages import Messages

#: Of a reason why a bot did not start, so many characters are quoted.
_QUOTED = 200


def sentence(outcome: Grade, say: Messages) -> str:
    """What is to be said of a bot: legality, strength and blunders, in that order."""
    return " ".join(_parts(outcome, say))


def ending(termination: str, say: Messages) -> str:
    """A termination for people."""
    return say(f"termination.{termination.replace(' ', '-')}")


def _parts(outcome: Grade, say: Messages) -> Iterator[str]:
    answers = outcome.answers
    asked, wrong = len(answers.given), len(answers.given) - answers.legal
    if answers.start is not None and not answers.legal:
        yield say("grade.not-started", text=answers.start.detail[:_QUOTED])
        return
    faults = ", ".join(
        f"{ending(how, say)} {count}" for how, count in sorted(answers.faults.items())
    )
    if answers.given_up:
        reason = next(a.fault.detail for a in answers.given if a.fault)[:_QUOTED].rstrip(".")
        yield say("grade.given-up", wrong=wrong, asked=asked, text=faults, reason=reason)
        return
    if asked and not answers.legal:
        yield say("grade.never-legal", asked=asked)
        return
    if wrong:
        yield say("grade.faults", wrong=wrong, asked=asked, text=faults)
    elif asked:
        yield say("grade.all-legal", asked=asked)
    yield from _strength(outcome, say)
    blunders = outcome.blunders
    if blunders.critical:
        found = len(blunders.found)
        yield say("grade.blunders", found=found, critical=blunders.critical)


def _strength(outcome: Grade, say: Messages) -> Iterator[str]:
    if not outcome.levels:
        return
    if outcome.reached is None:
        yield say("grade.beats-none", level=outcome.levels[0].level)
        return
    yield say("grade.beats", level=outcome.reached)
    names = [result.level for result in outcome.levels]
    following = outcome.levels[names.index(outcome.reached) + 1 :]
    if following:
        above = following[0]
        score = f"{100 * above.tally.single.score:.0f}"
        yield say("grade.next-level", level=above.level, score=score)
