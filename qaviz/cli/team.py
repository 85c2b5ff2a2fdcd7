"""`qaviz members` and `projects`: who may do what."""

from collections.abc import Iterable, Iterator

from qaviz.cli.actions import Actions
from qaviz.cli.options import BY, Asked, OneOf, argument, command, option, person
from qaviz.cli.paths import open_home
from qaviz.cli.terminal import print_lines
from qaviz.store import Workspace
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
from qaviz.store.roles import ROLES, read_role

MEMBERS, PROJECTS = Actions("members"), Actions("projects")


@MEMBERS.add("add", "", "NAME", "ROLE", opens=open_home)
def _add_member(options: Asked, home: Workspace) -> Iterator[str]:
    give_role(home, options.name, read_role(options.role), options.project, person(options))
    yield f"qaviz: {options.name} is {options.role} of {_name_place(options.project)}"


@MEMBERS.add("remove", "", "NAME")
def _remove_member(options: Asked, home: Workspace) -> Iterator[str]:
    take_role(home, options.name, options.project, person(options))
    yield f"qaviz: {options.name} has no role in {_name_place(options.project)} any more"


@MEMBERS.add("list")
def _list_members(_asked: Asked, home: Workspace) -> Iterator[str]:
    rows = list_members(home).iter_rows(named=True)
    return (f"{row['subject']}  {row['role']} of {_name_place(row['project'])}" for row in rows)


def _name_place(project: str | None) -> str:
    return f"the project {project}" if project else "the workspace"


@PROJECTS.add("create", "", "NAME")
def _make_project(options: Asked, home: Workspace) -> Iterator[str]:
    make_project(home, options.name, person(options))
    yield f"qaviz: the project {options.name} was made"


@PROJECTS.add("list")
def _list_projects(_asked: Asked, home: Workspace) -> Iterable[str]:
    return list_projects(home)


@PROJECTS.add("move", "", "--run")
def _move_run(options: Asked, home: Workspace) -> Iterator[str]:
    run = home.find(options.run)
    move_run(home, run.run_id, options.name or None, person(options))
    yield f'qaviz: the run "{run.name}" is in {_name_place(options.name)}'


@command(
    MEMBERS.argument(),
    argument("name", "the subject that the provider or the proxy names", metavar="SUBJECT", required=False),
    argument("role", "what they may do", type=OneOf(ROLES), metavar="ROLE", required=False),
    option("--project", "PROJECT", "in this project only (default: in the whole workspace)"),
    BY,
)
def members(options: Asked) -> None:
    """Give, list and take away roles.

    The roles are viewer, reviewer, editor and owner, in the workspace or in one project.
    """
    print_lines(MEMBERS.act(options))


@command(
    PROJECTS.argument(),
    argument("name", "the project; move without it: out of all projects", metavar="PROJECT", required=False),
    option("--run", "RUN", "the run to move: its name or id"),
    BY,
)
def projects(options: Asked) -> None:
    """Make and list projects, and move runs into them.

    Whoever has a role in one project sees only that one.
    """
    print_lines(PROJECTS.act(options))
