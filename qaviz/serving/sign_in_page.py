"""The pages that people see before they have signed in: without a script, and without a word about the workspace."""

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

from qaviz.access.identity import Source

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 "Source Sans", system-ui, sans-serif }
body { margin: 12vh auto 0; max-width: 22rem; padding: 0 1rem }
h1 { font-size: 1.6rem; margin: 0 0 1.5rem }
label { display: block; margin: 0 0 1rem }
input { box-sizing: border-box; display: block; font: inherit; margin-top: .25rem; padding: .5rem; width: 100% }
button, a.button { background: #0b5cad; border: 0; border-radius: .4rem; color: #fff; cursor: pointer;
  display: inline-block; font: inherit; padding: .55rem 1.2rem; text-decoration: none }
[role=alert] { border-left: .25rem solid #b3261e; margin: 0 0 1.5rem; padding: .25rem .75rem }
:focus-visible { outline: .15rem solid #4c9aff; outline-offset: .15rem }
"""


def show_sign_in(source: Source, prefix: str, then: str, problem: str, status: int) -> Response:
    """The page to sign in on: a form for local accounts, the way to the provider, or a word about the proxy.

    `then` is the path that is opened afterwards; `problem` is what went wrong with the last attempt, if anything.
    """
    alert = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    return _page("Sign in", alert + _ways(source, escape(prefix), then), status)


def _ways(source: Source, prefix: str, then: str) -> str:
    if source is Source.OIDC:
        return f'<a class="button" href="{prefix}/auth/login?then={quote(then, safe="")}">Sign in</a>'
    if source is Source.HEADER:
        return "<p>The proxy in front of this server has not said who you are. Open the address that it serves.</p>"
    return f"""<form method="post" action="{prefix}/auth/sign-in">
<input type="hidden" name="then" value="{escape(then)}">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>"""


def show_signed_out(source: Source, prefix: str) -> Response:
    """The page after signing out."""
    again = (
        "" if source is Source.HEADER else f'<a class="button" href="{escape(prefix)}/auth/sign-in">Sign in again</a>'
    )
    note = "<p>Sign out at your proxy too.</p>" if source is Source.HEADER else ""
    return _page("You are signed out", note + again, 200)


def _page(title: str, body: str, status: int) -> Response:
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title} · qaviz</title><style>{_STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
    )
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
