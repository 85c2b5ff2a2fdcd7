"""`--by NAME`: who does it, for the record. The system knows a name; another may be given."""

import argparse
import getpass

from qaviz.model.errors import Problem, QavizError


def add_by_argument(parser: argparse.ArgumentParser) -> None:
    """--by."""
    parser.add_argument("--by", metavar="NAME", help="who does it, for the audit (default: your name on this system)")


def person(asked: argparse.Namespace) -> str:
    """The name that was given, else the system's name of the user. Raises QavizError where the system knows none."""
    if asked.by is not None:
        return str(asked.by)
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise QavizError(
            Problem(
                where="--by",
                found="no name, and none that the system knows",
                expected="who does it",
                fix="Add --by NAME.",
            )
        ) from None
