"""Who may do what: the roles of people, and the one table that says which role each deed needs.

A role is held in the workspace, and then counts in all its projects, or in one project. `docs/team.md` shows the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from qaviz.model.errors import QavizError, stop
from qaviz.store.audit_log import Deed


class Role(IntEnum):
    """What somebody may do; each role may do what the roles before it may."""

    VIEWER = 1
    REVIEWER = 2
    EDITOR = 3
    OWNER = 4

    def __str__(self) -> str:
        return self.name.lower()


ROLES: Final = tuple(map(str, Role))


def read_role(text: str) -> Role:
    """The role of this name. Raises QavizError if there is no such role."""
    if text not in ROLES:
        raise stop("role", f'"{text}"', ", ".join(ROLES), "Choose one of these roles.")
    return Role[text.upper()]


@dataclass(frozen=True)
class Rule:
    """What a deed needs."""

    least: Role
    meaning: str
    """What the deed is, for docs/team.md."""
    everywhere: bool = False
    """Whether only a role in the whole workspace counts, because the deed reaches beyond a project."""
    anywhere: bool = False
    """Whether a role in any project is enough where the deed is about no run, golden dataset or project."""


POLICY: Mapping[Deed, Rule] = {
    Deed.READ: Rule(
        Role.VIEWER, "see runs, golden datasets, labels, grades, reviews and the audit of what one may see"
    ),
    Deed.EXPORT: Rule(Role.VIEWER, "take a run, a golden dataset or the audit along as a file", anywhere=True),
    Deed.LABEL: Rule(Role.REVIEWER, "label responses"),
    Deed.UNLABEL: Rule(Role.REVIEWER, "take one's own labels back"),
    Deed.REVIEW: Rule(Role.REVIEWER, "decide on items of a review, and save a draft"),
    Deed.UNREVIEW: Rule(Role.REVIEWER, "take one's own decision back"),
    Deed.ADJUDICATE: Rule(Role.REVIEWER, "settle, as a third person, an item on which readers differ"),
    Deed.VERIFY: Rule(Role.REVIEWER, "score a run again with FMEval and note the outcome"),
    Deed.BERTSCORE: Rule(Role.REVIEWER, "compute BERTScores and keep them", anywhere=True),
    Deed.VIEW: Rule(Role.REVIEWER, "save a link to a view of a run"),
    Deed.UNVIEW: Rule(Role.REVIEWER, "delete a saved view"),
    Deed.IMPORT: Rule(Role.EDITOR, "import or score responses and save them as a run"),
    Deed.RENAME: Rule(Role.EDITOR, "rename a run"),
    Deed.OWN: Rule(Role.EDITOR, "set the owner that a run names"),
    Deed.TAG: Rule(Role.EDITOR, "tag a run"),
    Deed.NOTE: Rule(Role.EDITOR, "write notes on a run"),
    Deed.ARCHIVE: Rule(Role.EDITOR, "archive a run"),
    Deed.UNARCHIVE: Rule(Role.EDITOR, "bring a run back from the archive"),
    Deed.OVERRIDE: Rule(Role.EDITOR, "decide against a run's recommendation, with a reason"),
    Deed.CONFIRM: Rule(Role.EDITOR, "confirm, as a second person, a decision against a recommendation"),
    Deed.WITHDRAW: Rule(Role.EDITOR, "take such a decision back"),
    Deed.DELETE: Rule(Role.EDITOR, "delete a run, which can be undone"),
    Deed.UNDELETE: Rule(Role.EDITOR, "undo a deletion"),
    Deed.JUDGE: Rule(Role.EDITOR, "have a language model grade a run, or check a golden dataset"),
    Deed.TRUST: Rule(Role.OWNER, "let a judge decide that fails a probe or was not probed"),
    Deed.GENERATE: Rule(Role.EDITOR, "generate a golden dataset and keep it"),
    Deed.ACCEPT: Rule(Role.EDITOR, "save a new version of a golden dataset"),
    Deed.REJECT: Rule(Role.EDITOR, "reject a suggested edit"),
    Deed.UNREJECT: Rule(Role.EDITOR, "take a rejection back"),
    Deed.CLASSIFY: Rule(Role.EDITOR, "set the risk of a golden dataset"),
    Deed.SESSION: Rule(Role.EDITOR, "start, enlarge, refresh, close or apply a review"),
    Deed.PROFILE: Rule(Role.EDITOR, "save a column mapping", everywhere=True),
    Deed.UNPROFILE: Rule(Role.EDITOR, "delete a column mapping", everywhere=True),
    Deed.POLICY: Rule(Role.OWNER, "set the acceptance criteria and how confidence is counted", everywhere=True),
    Deed.PURGE: Rule(Role.OWNER, "remove deleted runs for good"),
    Deed.BACKUP: Rule(Role.OWNER, "check, clean, copy, back up and restore the workspace", everywhere=True),
    Deed.PROJECT: Rule(Role.OWNER, "make a project, and move a run into it or out of it", everywhere=True),
    Deed.MEMBER: Rule(Role.OWNER, "give and take roles, in the workspace or in one's own project"),
}
"""The least role for each deed. Every function of the store that writes names its deed here."""


@dataclass(frozen=True)
class Actor:
    """Who asks the store. `LOCAL` is whoever uses a workspace on their own machine, without access control."""

    subject: str | None
    """The verified identity; None where nobody is verified and everything is allowed."""
    name: str = ""
    """How people call them, for screens."""


LOCAL: Final = Actor(subject=None)


def refuse_deed(deed: Deed, actor: Actor, held: Role | None) -> QavizError:
    """The error for a person whose role is not enough for the deed."""
    least = POLICY[deed].least
    where = " in the whole workspace" if POLICY[deed].everywhere else ""
    return stop(
        where=f"{POLICY[deed].meaning}",
        found=f"{actor.subject}, who has {f'the role {held}' if held else 'no role'} here",
        expected=f"the role {least}{where}, or a higher one",
        fix="Ask an owner of the workspace for that role: docs/team.md.",
    )
