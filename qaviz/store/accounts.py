"""Local accounts of a small team: a name and the hash of a password. The hashing itself is `qaviz.access.passwords`."""

import re
from datetime import UTC, datetime

import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new
from qaviz.store.members import forget_subject
from qaviz.store.tables import ACCOUNTS_TABLE, SIGN_INS_TABLE
from qaviz.store.workspace import Workspace

NAME_OF_ACCOUNT = "name of the account"
_NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,62}")

_account = ACCOUNTS_TABLE.c


def checked_account_name(name: str) -> str:
    """The name of an account. Raises QavizError if it will not do."""
    if not _NAME.fullmatch(name):
        raise _refusal_error(f"{name!a}", "1 to 63 of a-z, 0-9, dot, hyphen, underscore and @", "Choose another name.")
    return name


def add_account(workspace: Workspace, name: str, hashed: str, by: str | None = None) -> None:
    """Add an account with the hash of its password. Raises QavizError if the name will not do or is taken."""
    row = {"name": checked_account_name(name), "password": hashed, "made_at": datetime.now(UTC).isoformat()}
    with workspace.writing(Deed.ACCOUNT) as transaction:
        if not insert_new(transaction, ACCOUNTS_TABLE, [row]):
            raise _refusal_error(f"{name}, which is there", "a new name", "Choose another, or set its password.")
        note(transaction, Deed.ACCOUNT, name, "added", by)


def list_accounts(workspace: Workspace) -> list[tuple[str, str]]:
    """Name and time of making (ISO, UTC) of each account."""
    workspace.require(Deed.ACCOUNT)
    with workspace.reading() as connection:
        asked = sa.select(_account.name, _account.made_at).order_by(_account.name)
        return [(row.name, row.made_at) for row in connection.execute(asked)]


def find_password(workspace: Workspace, name: str) -> str | None:
    """The hash of the account's password; None where there is no such account. For signing in, before who is known."""
    with workspace.reading() as connection:
        found: str | None = connection.scalar(sa.select(_account.password).where(_account.name == name))
    return found


def set_password(workspace: Workspace, name: str, hashed: str, by: str | None = None) -> None:
    """Set the hash of the password, and end the account's sign-ins. Raises QavizError if there is no such account."""
    with workspace.writing(Deed.ACCOUNT) as transaction:
        changed = sa.update(ACCOUNTS_TABLE).where(_account.name == name).values(password=hashed)
        if not transaction.execute(changed).rowcount:
            raise _refusal_error(f'no account "{name}"', "an account that is there", "List them.")
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(SIGN_INS_TABLE.c.subject == name))
        note(transaction, Deed.ACCOUNT, name, "new password", by)


def remove_account(workspace: Workspace, name: str, by: str | None = None) -> None:
    """Remove the account, its roles and its sign-ins.

    Raises QavizError if there is no such account, or it is the last owner's.
    """
    with workspace.writing(Deed.ACCOUNT) as transaction:
        if not transaction.execute(sa.delete(ACCOUNTS_TABLE).where(_account.name == name)).rowcount:
            raise _refusal_error(f'no account "{name}"', "an account that is there", "List them.")
        forget_subject(transaction, name)
        transaction.execute(sa.delete(SIGN_INS_TABLE).where(SIGN_INS_TABLE.c.subject == name))
        note(transaction, Deed.ACCOUNT, name, "removed", by)


def _refusal_error(found: str, expected: str, fix: str) -> QavizError:
    return QavizError(Problem(where=NAME_OF_ACCOUNT, found=found, expected=expected, fix=fix))
