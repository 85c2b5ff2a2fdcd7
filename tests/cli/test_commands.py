"""The scripted contract of the commands: commands.json has every argument and option, as scripts rely on them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from qaviz.cli import COMMANDS, COULD_NOT_RUN, DONE, load_command, main
from qaviz.cli.options import OneOf, Value

ROOT = Path(__file__).parents[2]
CONTRACT = json.loads((Path(__file__).parent / "commands.json").read_text("utf-8"))
"""For each command its arguments, then its options, as `describe` writes them."""


def describe(parameter: click.Parameter) -> str:
    """The argument or option in words: `--seed N (from 0 to 9) = 3`, `FILES required many`; a switch by its name."""
    is_option, kind = isinstance(parameter, click.Option), parameter.type
    name = parameter.opts[0] if is_option else parameter.human_readable_name
    flag, choices = is_option and parameter.is_flag, "|".join(kind.choices) if isinstance(kind, OneOf) else ""
    takes = kind.expected.removeprefix("a number ") if isinstance(kind, Value) else ""
    default = None if flag or callable(parameter.default) else parameter.to_info_dict()["default"]
    words = [choices or (str(parameter.metavar) if is_option and not flag else "")]
    words += [f"({takes})" if re.match("from", takes) else "", f"= {default}" if default not in (None, (), []) else ""]
    words += ["required" * parameter.required, "many" * (parameter.nargs == -1 or parameter.multiple)]
    return " ".join(filter(None, [name, *words]))


def commands_of_scripts() -> dict[str, click.Command]:
    """Every command, and in place of a group its actions, such as `runs list`."""
    commands = {name: load_command(name) for name in COMMANDS}
    return {
        " ".join(filter(None, (name, action))): part
        for name, command in commands.items()
        for action, part in (command.commands if isinstance(command, click.Group) else {"": command}).items()
    }


@pytest.mark.parametrize("name", CONTRACT)
def test_a_command_takes_what_scripts_give_it(name: str):
    """Arguments in their order, options with their values, choices, bounds and defaults are those of the contract."""
    parameters = [describe(parameter) for parameter in commands_of_scripts()[name].params]
    arguments, contracted = (
        [words for words in of if not words.startswith("--")] for of in (parameters, CONTRACT[name])
    )

    assert arguments == contracted
    assert sorted(parameters) == sorted(CONTRACT[name])


def test_the_contract_names_every_command():
    """No command is missing in the contract, and none is in it that is not there."""
    assert list(CONTRACT) == list(commands_of_scripts())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_their_help_says(name: str):
    """The line of a command in `qaviz --help` is the first of its own help."""
    assert (load_command(name).help or "").split("\n")[0] == COMMANDS[name].help + "."


def test_help_loads_no_command():
    """It is quick, since it loads neither a command's module nor what it needs."""
    asked = "import sys; from qaviz.cli import main; code = main(['--help'])"
    loaded = f"{asked}; sys.exit(code or any(name in sys.modules for name in ('polars', 'sqlalchemy', 'qaviz.store')))"

    assert subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True).returncode == DONE


def test_all_problems_of_the_arguments_are_named_at_once(capsys: pytest.CaptureFixture[str]):
    """A missing option, a number out of bounds, an unknown word and a word too many are a line each; exit code 2."""
    assert main(["gate", "June", "July", "--broken", "-1", "--format", "pdf"]) == COULD_NOT_RUN

    lines = capsys.readouterr().err.splitlines()
    assert sorted(line.split(": ")[1] for line in lines) == ["--baseline", "--broken", "--format", "July"]
    assert all(line.endswith("See: qaviz gate --help") for line in lines)
