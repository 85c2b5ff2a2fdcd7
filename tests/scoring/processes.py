"""The processes that score beside this one."""

from contextlib import suppress

import psutil


def scoring_processes() -> list[list[str]]:
    """The command lines of this process's children that score, other tests' servers and clusters left out."""
    commands = []
    for child in psutil.Process().children():
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):  # It ended since it was listed.
            commands.append(child.cmdline())
    return [command for command in commands if "qaviz.processes.worker" in command]
