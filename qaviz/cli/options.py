"""What commands are declared with: arguments and options, what each accepts, and those that many commands share; groups
of actions, such as `list` and `show`, in one command; and the paths and workspaces that a command was given."""

import getpass
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

import click
from click.core import iter_params_for_processing

from qaviz.cli import DONE, terminal
from qaviz.model.errors import Problem, QavizError, disk_refusals, stop
from qaviz.model.records import default_folder

if TYPE_CHECKING:  # a command imports the store when it opens a workspace: `score` does without
    from qaviz.model.records import Run
    from qaviz.report import Table
    from qaviz.store.workspace import Workspace

FILE = click.Path(path_type=Path, readable=False)
PARAMETER = "parameter"
"""In the metadata of a field of options: makes the click parameter of this name."""
TEXT, JSON = "text", "json"
INHERITED = ("format", "workspace")
"""Options that the help lists last."""
TOKEN_VARIABLE = "QAVIZ_TOKEN"
"""The environment variable that had an API token of an earlier version: refused, since it would no longer narrow
anything."""


class Refused(click.BadParameter):
    """A value that an argument or option does not accept."""

    def __init__(self, value: str, expected: str) -> None:
        super().__init__(f'found "{value}", expected {expected}')
        self.value, self.expected = value, expected


class Value(click.ParamType[Any]):
    """A text that `read` turns into a value. It is not what is `expected` where `read` raises ValueError or the value
    is not accepted."""

    name = "value"

    def __init__(
        self, read: Callable[[str], Any], expected: str, accepts: Callable[[Any], bool] = lambda _value: True
    ) -> None:
        self.read, self.expected, self.accepts = read, expected, accepts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401, ARG002 - click's
        """The value of the text; a default stays as it is. Raises Refused."""
        if not isinstance(value, str):
            return value
        with suppress(ValueError):
            if self.accepts(result := self.read(value)):
                return result
        raise Refused(value, self.expected)


class OneOf(click.Choice[str]):
    """One of some words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401, ARG002 - click's
        """The word. Raises Refused."""
        if value not in self.choices:
            raise Refused(str(value), ", ".join(self.choices))
        return str(value)


def number(least: int, most: int | None = None) -> Value:
    """A whole number within its bounds."""

    def read(text: str) -> int:
        # 2^64 has 20 digits; Python itself refuses to read a number of thousands of digits.
        if text.isdecimal() and len(text) <= 20 and least <= (value := int(text)) <= (most or value):
            return value
        raise ValueError

    return Value(read, f"a number from {least}" + (f" to {most}" if most is not None else ""))


def pair(expected: str) -> Value:
    """Two names from `ONE=OTHER`."""
    return Value(lambda text: text.partition("=")[::2], expected, all)


def _read_share(text: str) -> float:
    return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


SEEDS = number(0, 2**64 - 1)
SHARE = Value(_read_share, "a share from 0% to 100%, such as 0.03 or 3%", lambda share: 0 <= share <= 1)
PART = Value(_read_share, "a share between 0% and 100%, such as 0.1 or 10%", lambda share: 0 < share < 1)


def _declare(make: Callable[[str], click.Parameter]) -> Any:  # noqa: ANN401 - a field is of its annotation's type
    return field(metadata={PARAMETER: make})


def argument(help: str, *, metavar: str | None = None, **more: Any) -> Any:  # noqa: ANN401 - click's, a field's
    """An argument by its place, shown as `metavar`, else as its name in capitals."""
    return _declare(lambda name: click.Argument([name], help=help, metavar=metavar, **more))


def option(metavar: str | None, help: str, **more: Any) -> Any:  # noqa: ANN401 - click's, a field's
    """An option with a value, which the help calls `metavar`."""
    return _declare(lambda name: click.Option([flag_of(name)], metavar=metavar, help=help, **more))


def repeated(metavar: str, help: str, **more: Any) -> Any:  # noqa: ANN401 - click's, a field's
    """An option that may be given several times."""
    return option(metavar, f"{help}; may be repeated", multiple=True, **more)


def file(help: str, metavar: str = "FILE", **more: Any) -> Any:  # noqa: ANN401 - click's, a field's
    """An option that names a file."""
    return option(metavar, help, type=FILE, **more)


def choice(choices: Iterable[str], help: str, **more: Any) -> Any:  # noqa: ANN401 - click's, a field's
    """An option that takes one of some words."""
    words = tuple(choices)  # the options of a subclass ask for them again
    return _declare(lambda name: click.Option([flag_of(name)], type=OneOf(words), help=help, **more))


def switch(help: str) -> Any:  # noqa: ANN401 - a field's
    """An option without a value."""
    return _declare(lambda name: click.Option([flag_of(name)], is_flag=True, help=help))


def flag_of(name: str) -> str:
    """`--dry-run` for `dry_run`."""
    return f"--{name.replace('_', '-')}"


RUN_NAME = Value(str, "a run's name or id")


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(argument, option, repeated, file, choice, switch)
)
@dataclass(frozen=True, kw_only=True)
class Options:
    """What every command is given. A subclass, a frozen dataclass by itself, has a field for each argument and option,
    in the order of the help."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    workspace: Path = option(
        "DIR",
        "folder that keeps runs (default: $QAVIZ_WORKSPACE, else ./workspace)",
        type=FILE,
        default=default_folder,
        show_default=False,
    )

    @property
    def home(self) -> "Workspace":
        """The workspace. Raises QavizError as `open_existing`."""
        return open_existing(self.workspace)


class Printed(Options):
    """A command that prints text or JSON."""

    format: str = choice((TEXT, JSON), "what is printed", default=TEXT)


class OfRun(Printed):
    """A command about one run."""

    run: str = argument("the run's name or id", type=RUN_NAME)

    def open_run(self) -> "tuple[Workspace, Run]":
        """The workspace and its run. Raises QavizError as `open_existing`, and if there is none of that name or id."""
        home = self.home
        return home, home.find(self.run)


class ByWhom(Printed):
    """A command whose work the audit log names a person for."""

    by: str | None = option("NAME", "who does it, for the audit log (default: your name on this system)")

    @property
    def person(self) -> str:
        """The name that --by gives, else the system's name of the user. Raises QavizError where it knows none."""
        if self.by is not None:
            return self.by
        try:
            return getpass.getuser()
        except (KeyError, OSError):
            raise stop("--by", "no name", "who does it", "Add --by NAME.") from None


class DespiteProbes(Options):
    """A command in which a judge decides."""

    despite_probes: str | None = option(
        "WHY", "let a judge decide that fails a probe or was not probed; owners only, in the audit log"
    )


Given = TypeVar("Given", bound=Options)


class QavizCommand(click.Command):
    """A command that names every problem of its arguments at once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments into `ctx.params`. Raises QavizError with all problems."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            raise QavizError(*self._find_problems(ctx, given)) from None

    def _find_problems(self, ctx: click.Context, args: list[str]) -> Iterator[Problem]:
        """Read the arguments again, and go on after each problem where that can be."""
        try:
            given, words, order = self.make_parser(ctx).parse_args(args)
        except click.UsageError as error:
            yield _describe_usage(error, ctx)
            return
        for parameter in iter_params_for_processing(order, self.get_params(ctx)):
            try:
                parameter.handle_parse_result(ctx, given, words)
            except click.UsageError as error:
                yield _describe_usage(error, ctx)
        usage = " ".join(self.collect_usage_pieces(ctx))
        yield from (_problem(ctx, word, "a word too many", usage) for word in words)


def describe_error(error: Exception) -> QavizError:
    """What ended a command and its user can fix, in our words: arguments, files that the system refuses, problems."""
    if isinstance(error, click.UsageError):
        return QavizError(_describe_usage(error, error.ctx or click.Context(click.Command("qaviz"), info_name="qaviz")))
    if isinstance(error, OSError):  # what no layer below has said otherwise
        where, reason = str(error.filename)[:255], (error.strerror or type(error).__name__).lower()
        return stop(where, reason, "a file or folder that you may read", "Ask its owner, or name another one.")
    assert isinstance(error, QavizError)
    return error


def _describe_usage(error: click.UsageError, ctx: click.Context) -> Problem:
    if isinstance(error, click.NoSuchOption):
        near = f", such as {' or '.join(error.possibilities)}" if error.possibilities else ""
        return _problem(ctx, error.option_name, "no such option", f"an option of {ctx.command_path}{near}")
    if isinstance(error, click.BadOptionUsage):
        return _problem(ctx, error.option_name, "another use of the option", error.message.rstrip("."))
    if isinstance(error, click.BadParameter) and error.param:
        name = error.param.opts[0] if isinstance(error.param, click.Option) else error.param.human_readable_name
        if isinstance(error, Refused):
            return _problem(ctx, name, f'"{error.value}"', error.expected)
        return _problem(ctx, name, "nothing", error.param.help or name)
    named = getattr(error, "command_name", None)
    names = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    problem = _problem(
        ctx, ctx.command_path, f'no command "{named}"' if named else "no command", f"one of {', '.join(names)}"
    )
    near = next(iter(get_close_matches(str(named), names, 1)), "")
    return replace(problem, fix=f"Did you mean {near}? {problem.fix}") if near else problem


def _problem(ctx: click.Context, where: str, fault: str, expected: str) -> Problem:
    return Problem(where=where, found=fault, expected=expected, fix=f"See: {ctx.command_path} --help")


@dataclass(frozen=True)
class Printout:
    """What a command prints, and its exit code."""

    figures: object
    """For a program, as `as_json` writes it."""
    lines: "Iterable[str | Table] | None" = None
    """For people; the figures under their names where there are none. Taken only where these are printed."""
    code: int = DONE


Function = Callable[[Given], Printout | int | None]
"""Does what a command says: returns what to print, or, where it printed that itself, its exit code, None for 0."""


def command(options: type[Given], help: str | None = None) -> Callable[[Function[Given]], click.Command]:
    """Declare a function as a command of qaviz, whose docstring is the help where none is given. Its arguments and
    options are the fields of `options`. Paths that no command may use are refused before it begins."""
    inherited, own = list[click.Parameter](), list[click.Parameter]()
    for part in fields(options):
        (inherited if part.name in INHERITED else own).append(part.metadata[PARAMETER](part.name))

    def declare(function: Function[Given]) -> click.Command:
        def run(**values: Any) -> int:  # noqa: ANN401 - options are of many types
            given = options(**values)
            refuse_own_places(given)
            result = function(given)
            if not isinstance(result, Printout):
                return result or DONE
            if getattr(given, "format", TEXT) == JSON:
                print(terminal.as_json(result.figures))
            else:
                terminal.print_lines(terminal.lay_out(result.figures) if result.lines is None else result.lines)
            return result.code

        return QavizCommand(None, callback=run, params=[*own, *inherited], help=help or inspect.getdoc(function))

    return declare


class CommandGroup(click.Group):
    """A command with several actions, each of which has its own arguments and options."""

    def __init__(self, name: str, help: str) -> None:
        super().__init__(name, help=help, no_args_is_help=False)

    def action(
        self, name: str, options: type[Given], help: str | None = None
    ) -> Callable[[Function[Given]], Function[Given]]:
        """Declare a function as the action of this name, as `command` does."""

        def declare(function: Function[Given]) -> Function[Given]:
            self.add_command(command(options, help)(function), name)
            return function

        return declare

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """The actions in the order in which they are declared."""
        return list(self.commands)


def refuse_own_places(options: object) -> None:
    """Raise QavizError where a command is to write into the workspace's own folder."""
    home = getattr(options, "workspace", None)
    fault = f"a place where the workspace {home} keeps its own files"
    problems = [
        Problem(str(target), fault, "a place outside", "Name another file or folder.")
        for target in (getattr(options, name, None) for name in ("out", "folder"))
        if home and target and Path(os.path.realpath(target)).is_relative_to(os.path.realpath(home))
    ]
    if problems:
        raise QavizError(*problems)


def is_there(folder: Path) -> bool:
    """Whether there is a workspace. Raises QavizError if its index cannot be read, or is a newer qaviz's."""
    from qaviz.store.index import index_of, version_of

    return version_of(index_of(folder)) is not None


def require_workspace(folder: Path) -> Path:
    """The folder, if it holds a workspace. Raises QavizError if it does not, and as `is_there`."""
    if not is_there(folder):
        fix = "Name it with --workspace, or import a run first."
        raise stop(str(folder), "no workspace", "a folder that holds one", fix)
    return folder


def open_existing(folder: Path) -> "Workspace":
    """The workspace in the folder. Raises QavizError as `require_workspace` and `open_home` do."""
    return open_home(require_workspace(folder))


def open_home(folder: Path) -> "Workspace":
    """The workspace in the folder, made if missing. Raises QavizError as `open_workspace` does, and if QAVIZ_TOKEN is
    set."""
    if os.environ.get(TOKEN_VARIABLE):
        expected = "no such variable: whoever has the database's password has what its role may see"
        fix = "Remove it, and use a role of the database: docs/team.md, Databases' own roles."
        raise stop(TOKEN_VARIABLE, "an API token, which qaviz has no more", expected, fix)
    from qaviz.store.workspace import open_workspace

    return open_workspace(folder)


def write_out(out: Path, content: bytes) -> None:
    """Write the file, all of it or nothing. Raises QavizError if the disk refuses."""
    from qaviz.store.files import replacing

    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        unfinished.write_bytes(content)
