"""qaviz in a terminal: the functions that the pages call, as commands.

A command's module is loaded when the command is asked for: `qaviz --help` loads none.
"""

import sys
import tomllib
from collections.abc import Mapping, Sequence
from errno import ENAMETOOLONG
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from qaviz import __version__

DONE, FOUND_PROBLEMS, COULD_NOT_RUN = 0, 1, 2
BUG = 70
"""A bug in qaviz ended the command, or kept some responses from being diagnosed; EX_SOFTWARE of `sysexits.h`."""
INTERRUPTED = 130


class Command(NamedTuple):
    """Where a command is declared, and what it does in one line: the first of its own help."""

    module: str
    function: str
    help: str


COMMANDS: Mapping[str, Command] = {
    name: Command(**entry)
    for name, entry in tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8")).items()
}


class _Commands(click.Group):
    """All commands, each loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """The command of this name."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Write one line for each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.version_option(__version__, prog_name="qaviz", message="%(prog)s %(version)s")
@click.group(
    "qaviz",
    cls=_Commands,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120, "show_default": True},
    epilog="Exit code: 0 done; 1 done, and found problems in the files; 2 could not run; 70 a bug in qaviz.",
)
def qaviz() -> None:
    """What FMEval's question-answering scores mean."""


def load_command(name: str) -> click.Command:
    """The command of this name, with all that it needs imported."""
    place = COMMANDS[name]
    command: click.Command = getattr(import_module(f"qaviz.cli.{place.module}"), place.function)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default the one of the command line. Returns its exit code: 2 if it could not run. This is
    the one place where a QavizError ends: its problems are printed, one a line."""
    from qaviz.model.errors import QavizError, naming_extras

    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        with naming_extras(), qaviz.make_context("qaviz", given) as context:
            code: int = qaviz.invoke(context)
            return code
    except click.exceptions.Exit as done:  # after --help and --version
        return done.exit_code
    except (QavizError, click.UsageError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, PermissionError) and error.errno != ENAMETOOLONG:
            raise
        from qaviz.cli.options import describe_error
        from qaviz.cli.terminal import say_problems

        say_problems(describe_error(error))
        return COULD_NOT_RUN
