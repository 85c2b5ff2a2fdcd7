"""The one error that a user can fix, with all problems that were found."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing in a file that a person can mend."""

    where: str
    """File, and line or row where there is one: `golden.csv line 7`."""
    found: str
    expected: str
    fix: str

    def __str__(self) -> str:
        return f"{self.where}: found {self.found}; expected {self.expected}. {self.fix}"


class QavizError(Exception):
    """Something a user can fix, with every problem that was found. Shown as it is; anything else is a bug."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))
