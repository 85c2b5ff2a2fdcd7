"""`qaviz accounts`, `members`, `projects` and `tokens`: who may sign in, who may do what, and what CI may do."""

import getpass
import sys
from collections.abc import Iterable, Iterator

import polars as pl

from qaviz.access.passwords import hash_password
from qaviz.cli.actions import Actions
from qaviz.cli.options import BY, Asked, OneOf, argument, choice, command, number, option, person
from qaviz.cli.paths import open_home
from qaviz.cli.terminal import print_lines
from qaviz.model.errors import stop
from qaviz.store import Workspace
from qaviz.store.accounts import (
    LONGEST_DAYS,
    add_account,
    checked_account_name,
    create_token,
    list_accounts,
    list_tokens,
    remove_account,
    revoke_token,
    set_password,
)
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
from qaviz.store.roles import ROLES, read_role

DAYS = 90
ACCOUNTS, MEMBERS, PROJECTS, TOKENS = map(Actions, ("accounts", "members", "projects", "tokens"))


def _read_password() -> str:
    """The password that is typed twice, or the first line of standard input where that is no terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same again: ") != password:
        raise stop("password", "two that differ", "the same twice", "Type it again.")
    return password


@ACCOUNTS.add("add", "", "NAME", opens=open_home)
def _add_account(asked: Asked, home: Workspace) -> Iterator[str]:
    name, role = checked_account_name(asked.name), asked.role and read_role(asked.role)
    add_account(home, name, hash_password(_read_password()), person(asked))
    yield f"qaviz: the account {name} was added"
    if role:
        give_role(home, name, role, by=person(asked))
        yield f"qaviz: {name} is {role} of the workspace"
    else:
        yield f"qaviz: it has no role yet: qaviz members add {name} ROLE"


@ACCOUNTS.add("remove", "", "NAME")
def _remove_account(asked: Asked, home: Workspace) -> Iterator[str]:
    remove_account(home, asked.name, person(asked))
    yield f"qaviz: the account {asked.name} was removed, with its roles and sign-ins"


@ACCOUNTS.add("passwd", "", "NAME")
def _set_password(asked: Asked, home: Workspace) -> Iterator[str]:
    set_password(home, asked.name, hash_password(_read_password()), person(asked))
    yield f"qaviz: {asked.name} has a new password, and is signed out everywhere"


@ACCOUNTS.add("list")
def _list_accounts(_asked: Asked, home: Workspace) -> Iterator[str]:
    return (f"{name}  since {made_at[:10]}" for name, made_at in list_accounts(home))


@MEMBERS.add("add", "", "NAME", "ROLE", opens=open_home)
def _add_member(asked: Asked, home: Workspace) -> Iterator[str]:
    give_role(home, asked.name, read_role(asked.role), asked.project, person(asked))
    yield f"qaviz: {asked.name} is {asked.role} of {_name_place(asked.project)}"


@MEMBERS.add("remove", "", "NAME")
def _remove_member(asked: Asked, home: Workspace) -> Iterator[str]:
    take_role(home, asked.name, asked.project, person(asked))
    yield f"qaviz: {asked.name} has no role in {_name_place(asked.project)} any more"


@MEMBERS.add("list")
def _list_members(_asked: Asked, home: Workspace) -> Iterator[str]:
    rows = list_members(home).iter_rows(named=True)
    return (f"{row['subject']}  {row['role']} of {_name_place(row['project'])}" for row in rows)


def _name_place(project: str | None) -> str:
    return f"the project {project}" if project else "the workspace"


@PROJECTS.add("create", "", "NAME")
def _make_project(asked: Asked, home: Workspace) -> Iterator[str]:
    make_project(home, asked.name, person(asked))
    yield f"qaviz: the project {asked.name} was made"


@PROJECTS.add("list")
def _list_projects(_asked: Asked, home: Workspace) -> Iterable[str]:
    return list_projects(home)


@PROJECTS.add("move", "", "--run")
def _move_run(asked: Asked, home: Workspace) -> Iterator[str]:
    run = home.find(asked.run)
    move_run(home, run.run_id, asked.name or None, person(asked))
    yield f'qaviz: the run "{run.name}" is in {_name_place(asked.name)}'


@TOKENS.add("create", "", "NAME", "--role")
def _create_token(asked: Asked, home: Workspace) -> Iterator[str]:
    token = create_token(home, asked.name, read_role(asked.role), asked.days, asked.project, person(asked))
    print(
        f"qaviz: shown once, and kept nowhere. Set it as QAVIZ_TOKEN. It expires in {asked.days} days.", file=sys.stderr
    )
    yield token


@TOKENS.add("list")
def _list_tokens(_asked: Asked, home: Workspace) -> Iterator[str]:
    for row in list_tokens(home).with_columns(pl.col("expires_at").str.head(10)).iter_rows(named=True):
        ends = f"revoked {row['revoked_at'][:10]}" if row["revoked_at"] else f"until {row['expires_at']}"
        role = f"{row['role']} of {_name_place(row['project'])}"
        yield f"{row['token']}  {row['name']}  {role}  for {row['subject']}  {ends}"


@TOKENS.add("revoke", "", "NAME")
def _revoke_token(asked: Asked, home: Workspace) -> Iterator[str]:
    revoke_token(home, asked.name, person(asked))
    yield f"qaviz: the token {asked.name} is revoked"


@command(
    ACCOUNTS.argument(),
    argument("name", "of the account: what people sign in with", required=False),
    choice("--role", ROLES, "role in the whole workspace, to begin with"),
    BY,
)
def accounts(asked: Asked) -> None:
    """Add, list and remove the accounts that people sign in with.

    For a server with QAVIZ_SIGN_IN=accounts; passwd sets a new password. The password is asked for, or read from
    standard input; it is never an argument.
    """
    print_lines(ACCOUNTS.act(asked))


@command(
    MEMBERS.argument(),
    argument("name", "an account, or the subject at the provider", metavar="SUBJECT", required=False),
    argument("role", "what they may do", type=OneOf(ROLES), metavar="ROLE", required=False),
    option("--project", "PROJECT", "in this project only (default: in the whole workspace)"),
    BY,
)
def members(asked: Asked) -> None:
    """Give, list and take away roles.

    The roles are viewer, reviewer, editor and owner, in the workspace or in one project.
    """
    print_lines(MEMBERS.act(asked))


@command(
    PROJECTS.argument(),
    argument("name", "the project; move without it: out of all projects", metavar="PROJECT", required=False),
    option("--run", "RUN", "the run to move: its name or id"),
    BY,
)
def projects(asked: Asked) -> None:
    """Make and list projects, and move runs into them.

    Whoever has a role in one project sees only that one.
    """
    print_lines(PROJECTS.act(asked))


@command(
    TOKENS.argument(),
    argument("name", "name of the new token; revoke: the id of the token", required=False),
    choice("--role", ROLES, "the most it may do", default="viewer"),
    option("--project", "PROJECT", "in this project only"),
    option("--days", "N", "days until it expires", type=number(1, LONGEST_DAYS), default=DAYS),
    BY,
)
def tokens(asked: Asked) -> None:
    """Create, list and revoke API tokens for CI.

    A command with a token in QAVIZ_TOKEN may do what the token may.
    """
    print_lines(TOKENS.act(asked))
