"""`qaviz accounts`, `members`, `projects` and `tokens`: who may sign in, who may do what, and what CI may do."""

import argparse
import getpass
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from qaviz.access.passwords import hash_password
from qaviz.cli.opened import open_existing, open_home
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import shown
from qaviz.cli.whole_numbers import whole_number
from qaviz.model.errors import Problem, QavizError
from qaviz.store import Workspace
from qaviz.store.accounts import add_account, checked_account_name, list_accounts, remove_account, set_password
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
from qaviz.store.roles import ROLES, read_role
from qaviz.store.tokens import LONGEST_DAYS, create_token, list_tokens, revoke_token

DAYS = 90


@dataclass(frozen=True)
class _Action:
    """One word after the command: what it does, and which arguments it needs."""

    run: Callable[[Workspace, argparse.Namespace], Iterable[str]]
    needs: tuple[str, ...] = ()


def _act(actions: dict[str, _Action], asked: argparse.Namespace) -> list[str]:
    """Do what the command line asks for. Returns the lines to print. Raises QavizError if an argument is missing."""
    action = actions[asked.action]
    missing = [name.upper() for name in action.needs if getattr(asked, name) is None]
    if missing:
        raise QavizError(
            Problem(
                where=asked.action,
                found=f"no {' and no '.join(missing)}",
                expected=" ".join((asked.action, *map(str.upper, action.needs))),
                fix="Add it.",
            )
        )
    home = open_existing(asked.workspace) if asked.action != "add" else open_home(asked.workspace)
    return [shown(line) for line in action.run(home, asked)]


def _new_password() -> str:
    """The password that is typed twice, or the first line of standard input where that is no terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same again: ") != password:
        raise QavizError(
            Problem(where="password", found="two that differ", expected="the same twice", fix="Type it again.")
        )
    return password


def _add_account(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    name, role = checked_account_name(asked.name), asked.role and read_role(asked.role)
    add_account(home, name, hash_password(_new_password()), person(asked))
    yield f"qaviz: the account {name} was added"
    if role:
        give_role(home, name, role, by=person(asked))
        yield f"qaviz: {name} is {role} of the workspace"
    else:
        yield f"qaviz: it has no role yet: qaviz members add {name} ROLE"


def _remove_account(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    remove_account(home, asked.name, person(asked))
    yield f"qaviz: the account {asked.name} was removed, with its roles and sign-ins"


def _set_password(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    set_password(home, asked.name, hash_password(_new_password()), person(asked))
    yield f"qaviz: {asked.name} has a new password, and is signed out everywhere"


def _list_accounts(home: Workspace, _asked: argparse.Namespace) -> Iterator[str]:
    return (f"{name}  since {made_at[:10]}" for name, made_at in list_accounts(home))


def _add_member(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    give_role(home, asked.name, read_role(asked.role), asked.project, person(asked))
    yield f"qaviz: {asked.name} is {asked.role} of {_place(asked.project)}"


def _remove_member(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    take_role(home, asked.name, asked.project, person(asked))
    yield f"qaviz: {asked.name} has no role in {_place(asked.project)} any more"


def _list_members(home: Workspace, _asked: argparse.Namespace) -> Iterator[str]:
    rows = list_members(home).iter_rows(named=True)
    return (f"{row['subject']}  {row['role']} of {_place(row['project'])}" for row in rows)


def _place(project: str | None) -> str:
    return f"the project {project}" if project else "the workspace"


def _make_project(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    make_project(home, asked.name, person(asked))
    yield f"qaviz: the project {asked.name} was made"


def _move_run(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    run = home.find(asked.run_name)
    move_run(home, run.run_id, asked.name or None, person(asked))
    yield f'qaviz: the run "{run.name}" is in {_place(asked.name)}'


def _create_token(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    token = create_token(home, asked.name, read_role(asked.role), asked.days, asked.project, person(asked))
    print(
        f"qaviz: shown once, and kept nowhere. Set it as QAVIZ_TOKEN. It expires in {asked.days} days.", file=sys.stderr
    )
    yield token


def _list_tokens(home: Workspace, _asked: argparse.Namespace) -> Iterator[str]:
    for row in list_tokens(home).with_columns(pl.col("expires_at").str.head(10)).iter_rows(named=True):
        ends = f"revoked {row['revoked_at'][:10]}" if row["revoked_at"] else f"until {row['expires_at']}"
        yield f"{row['token']}  {row['name']}  {row['role']} of {_place(row['project'])}  for {row['subject']}  {ends}"


def _revoke_token(home: Workspace, asked: argparse.Namespace) -> Iterator[str]:
    revoke_token(home, asked.name, person(asked))
    yield f"qaviz: the token {asked.name} is revoked"


ACCOUNTS = {
    "add": _Action(_add_account, ("name",)),
    "list": _Action(_list_accounts),
    "remove": _Action(_remove_account, ("name",)),
    "passwd": _Action(_set_password, ("name",)),
}
MEMBERS = {
    "add": _Action(_add_member, ("name", "role")),
    "list": _Action(_list_members),
    "remove": _Action(_remove_member, ("name",)),
}
PROJECTS = {
    "create": _Action(_make_project, ("name",)),
    "list": _Action(lambda home, _asked: list_projects(home)),
    "move": _Action(_move_run, ("run_name",)),
}
TOKENS = {
    "create": _Action(_create_token, ("name", "role")),
    "list": _Action(_list_tokens),
    "revoke": _Action(_revoke_token, ("name",)),
}


def look_after_accounts(asked: argparse.Namespace) -> int:
    """Add, list and remove the accounts that people sign in with, and set passwords (QAVIZ_SIGN_IN=accounts).

    The password is asked for, or read from standard input; it is never an argument.
    """
    _print_lines(_act(ACCOUNTS, asked))
    return 0


def look_after_members(asked: argparse.Namespace) -> int:
    """Give, list and take roles: viewer, reviewer, editor, owner, in the workspace or in one project."""
    _print_lines(_act(MEMBERS, asked))
    return 0


def look_after_projects(asked: argparse.Namespace) -> int:
    """Make and list projects, and move runs into them: whoever has a role in one project sees only that one."""
    _print_lines(_act(PROJECTS, asked))
    return 0


def look_after_tokens(asked: argparse.Namespace) -> int:
    """Create, list and revoke API tokens for CI: a command with one in QAVIZ_TOKEN may do what the token may."""
    _print_lines(_act(TOKENS, asked))
    return 0


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def add_account_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION [NAME] [--role ROLE] [--by NAME]."""
    parser.add_argument("action", choices=ACCOUNTS)
    parser.add_argument("name", nargs="?", metavar="NAME", help="of the account: what people sign in with")
    parser.add_argument("--role", choices=ROLES, help="role in the whole workspace, to begin with")
    add_by_argument(parser)


def add_member_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION [NAME [ROLE]] [--project PROJECT] [--by NAME]."""
    parser.add_argument("action", choices=MEMBERS)
    parser.add_argument("name", nargs="?", metavar="SUBJECT", help="an account, or the subject at the provider")
    parser.add_argument("role", nargs="?", choices=ROLES, help="what they may do")
    parser.add_argument("--project", help="in this project only (default: in the whole workspace)")
    add_by_argument(parser)


def add_project_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION [NAME] [--run RUN] [--by NAME]."""
    parser.add_argument("action", choices=PROJECTS)
    parser.add_argument("name", nargs="?", metavar="PROJECT", help="move without it: out of all projects")
    parser.add_argument("--run", dest="run_name", metavar="RUN", help="the run to move: its name or id")
    add_by_argument(parser)


def add_token_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION [NAME] [--role ROLE] [--project PROJECT] [--days N] [--by NAME]."""
    parser.add_argument("action", choices=TOKENS)
    parser.add_argument("name", nargs="?", metavar="NAME", help="of the new token; revoke: the id of the token")
    parser.add_argument("--role", choices=ROLES, default="viewer", help="the most it may do (default viewer)")
    parser.add_argument("--project", help="in this project only")
    days = whole_number(1, LONGEST_DAYS)
    parser.add_argument("--days", type=days, default=DAYS, metavar="N", help=f"until it expires (default {DAYS})")
    add_by_argument(parser)
