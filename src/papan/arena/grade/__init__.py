"""Grading a bot: legality, time, strength on the ladder of levels, blunders (docs/grading.md)."""

from papan.arena.grade.exam import Exam, Grade, grade
from papan.arena.grade.submissions import Submission, grade_folder, submissions

__all__ = ["Exam", "Grade", "Submission", "grade", "grade_folder", "submissions"]
