"""`qaviz members` and `projects`: who may do what."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from qaviz.cli.options import Actions, ByWhom, OneOf, argument, command, option
from qaviz.cli.paths import open_home
from qaviz.cli.terminal import print_lines
from qaviz.store import Workspace
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
from qaviz.store.roles import ROLES, read_role

MEMBERS, PROJECTS = Actions("members"), Actions("projects")


@MEMBERS.add("add", "", "NAME", "ROLE", opens=open_home)
def _add_member(options: "_MembersOptions", home: Workspace) -> Iterator[str]:
    give_role(home, options.name, read_role(options.role), options.project, options.person)
    yield f"qaviz: {options.name} is {options.role} of {_name_place(options.project)}"


@MEMBERS.add("remove", "", "NAME")
def _remove_member(options: "_MembersOptions", home: Workspace) -> Iterator[str]:
    take_role(home, options.name, options.project, options.person)
    yield f"qaviz: {options.name} has no role in {_name_place(options.project)} any more"


@MEMBERS.add("list")
def _list_members(_asked: "_MembersOptions", home: Workspace) -> Iterator[str]:
    rows = list_members(home).iter_rows(named=True)
    return (f"{row['subject']}  {row['role']} of {_name_place(row['project'])}" for row in rows)


def _name_place(project: str | None) -> str:
    return f"the project {project}" if project else "the workspace"


@PROJECTS.add("create", "", "NAME")
def _make_project(options: "_ProjectsOptions", home: Workspace) -> Iterator[str]:
    make_project(home, options.name, options.person)
    yield f"qaviz: the project {options.name} was made"


@PROJECTS.add("list")
def _list_projects(_asked: "_ProjectsOptions", home: Workspace) -> Iterable[str]:
    return list_projects(home)


@PROJECTS.add("move", "", "--run")
def _move_run(options: "_ProjectsOptions", home: Workspace) -> Iterator[str]:
    run = home.find(options.run)
    move_run(home, run.run_id, options.name or None, options.person)
    yield f'qaviz: the run "{run.name}" is in {_name_place(options.name)}'


@dataclass(frozen=True, kw_only=True)
class _MembersOptions(ByWhom):
    """What an action needs is there when it runs."""

    action: str = MEMBERS.argument()
    name: str = argument("the subject that the provider or the proxy names", metavar="SUBJECT", required=False)
    role: str = argument("what they may do", type=OneOf(ROLES), metavar="ROLE", required=False)
    project: str | None = option("PROJECT", "in this project only (default: in the whole workspace)")


@command(_MembersOptions)
def members(options: _MembersOptions) -> None:
    """Give, list and take away roles.

    The roles are viewer, reviewer, editor and owner, in the workspace or in one project.
    """
    print_lines(MEMBERS.act(options.action, options))


@dataclass(frozen=True, kw_only=True)
class _ProjectsOptions(ByWhom):
    """What an action needs is there when it runs."""

    action: str = PROJECTS.argument()
    name: str = argument("the project; move without it: out of all projects", metavar="PROJECT", required=False)
    run: str = option("RUN", "the run to move: its name or id")


@command(_ProjectsOptions)
def projects(options: _ProjectsOptions) -> None:
    """Make and list projects, and move runs into them.

    Whoever has a role in one project sees only that one.
    """
    print_lines(PROJECTS.act(options.action, options))
