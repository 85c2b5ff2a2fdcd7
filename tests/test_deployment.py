"""What a team deploys: the image's steps, two servers on one workspace under a path, and the files of compose and
Kubernetes. The image itself cannot be built in a test; its scripts run here as they are."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import yaml

from qaviz.store.workspace import open_workspace
from tests.browser.served import Served, free_port, started
from tests.builders import save_sample

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
KUBERNETES = {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))}
HOST, PREFIX = "qaviz.example.com", "tools/qaviz"


@contextmanager
def serving(workspace: Path, **environment: str) -> Iterator[Served]:
    """What the image's entry point serves, on this machine and from this environment's packages."""
    port = free_port()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {"QAVIZ_HOSTS": f"{HOST},127.0.0.1", "QAVIZ_ADDRESS": "127.0.0.1", "QAVIZ_PORT": str(port), "PATH": path}
    settings["PYTHONPATH"] = str(ROOT)
    settings |= {"QAVIZ_WORKSPACE": str(workspace), "QAVIZ_PREFIX": PREFIX} | environment
    with started([str(DEPLOY / "serve")], port, workspace.parent, f"/{PREFIX}/readyz", **settings) as app:
        yield app


@pytest.mark.slow
def test_two_servers_under_a_path_share_a_workspace(tmp_path: Path):
    """Both answer under the path alone; both are ready, and neither is in the other's way on one workspace."""
    workspace = open_workspace(tmp_path / "workspace")
    save_sample(workspace)
    with serving(workspace.folder) as one, serving(workspace.folder) as other:
        for app in (one, other):
            with urlopen(f"{app.url}/{PREFIX}/", timeout=20) as answer:
                assert b"<title>" in answer.read()
            probe = [str(DEPLOY / "probe"), "/readyz"]
            settings = {"QAVIZ_PORT": app.url.rpartition(":")[2], "QAVIZ_PREFIX": PREFIX, "QAVIZ_HOSTS": HOST}
            path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
            assert subprocess.run(probe, env=os.environ | settings | path, check=False).returncode == 0
            nobody = settings | path | {"QAVIZ_PORT": str(free_port())}
            assert subprocess.run(probe, env=os.environ | nobody, stderr=subprocess.DEVNULL, check=False).returncode
        with pytest.raises(OSError, match=r"HTTP Error 40[03]"):
            urlopen(Request(f"{one.url}/{PREFIX}/", headers={"Host": "other.example.com"}), timeout=20)
    assert [run.name for run in workspace.runs()] == ["sample"]


def test_no_server_starts_without_its_public_names(tmp_path: Path):
    """The entry point says what is missing and ends, before a port is open."""
    settings = {name: value for name, value in os.environ.items() if name != "QAVIZ_HOSTS"}
    ended = subprocess.run([str(DEPLOY / "serve")], env=settings, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "QAVIZ_HOSTS" in ended.stderr


def test_the_image_copies_what_is_there_and_runs_as_nobody():
    """Each file that the image copies exists, every package comes with its hashes, and root is given up at the end."""
    copied = [words.split()[:-1] for words in re.findall(r"^COPY (?!--from)(.+)$", CONTAINERFILE, re.MULTILINE)]
    assert copied
    assert all((ROOT / name).exists() for names in copied for name in names)
    assert "--require-hashes" in (DEPLOY / "install").read_text("utf-8")
    assert CONTAINERFILE.rindex("USER 10001") > CONTAINERFILE.rindex("FROM ")
    assert all(os.access(DEPLOY / script, os.X_OK) for script in ("install", "serve", "probe"))


@pytest.mark.parametrize("name", ["qaviz-1", "qaviz-2"])
def test_compose_gives_the_app_no_more_than_it_needs(name: str):
    """The app runs as nobody on a read-only file system, without capabilities, with no port of its own to the world."""
    app = COMPOSE["services"][name]
    assert (app["user"], app["read_only"], app["cap_drop"]) == ("10001:10001", True, ["ALL"])
    assert "no-new-privileges:true" in app["security_opt"]
    assert "ports" not in app
    assert app["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"]
    assert (
        app["environment"]["FORWARDED_ALLOW_IPS"]
        == (COMPOSE["services"]["proxy"]["networks"]["inside"]["ipv4_address"])
    )
    assert "PASSWORD" not in " ".join(app["environment"])


def test_the_identity_proxy_alone_says_who_people_are():
    """The app believes the header of compose's proxy alone, which drops what a client says of itself before it asks
    oauth2-proxy, and adds the e-mail address that it answers; secrets stand in files."""
    app, identity = COMPOSE["services"]["qaviz-1"], COMPOSE["services"]["identity"]
    assert app["environment"]["QAVIZ_SIGN_IN"] == "header"
    header = app["environment"]["QAVIZ_SIGN_IN_HEADER"]
    caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert app["environment"]["QAVIZ_PROXY_SECRET_FILE"] == "/run/secrets/proxy_secret"
    assert "proxy_secret" in app["secrets"]
    assert "proxy_secret" in COMPOSE["services"]["proxy"]["secrets"]
    assert "header_up X-Qaviz-Proxy-Secret {file./run/secrets/proxy_secret}" in caddy
    steps = [
        f"request_header -{header}",
        "request_header -X-Qaviz-Proxy-Secret",
        "forward_auth identity:4180",
        f"X-Auth-Request-Email>{header}",
        "qaviz-1:8501",
    ]
    places = [caddy.index(step) for step in ["route {", *steps]]
    assert places == sorted(places)
    options = dict(option.removeprefix("--").split("=", 1) for option in identity["command"])
    assert {"client-secret-file", "cookie-secret-file", "oidc-issuer-url", "client-id"} <= options.keys()
    assert (options["set-xauthrequest"], options["reverse-proxy"], options["cookie-secure"]) == ("true",) * 3
    assert "ports" not in identity
    assert ":latest" not in identity["image"]


def test_kubernetes_asks_for_health_and_gives_no_rights():
    """Pods are probed, run as nobody on a read-only file system, see no token, and a visitor stays with one of them."""
    pod = KUBERNETES["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert {"startupProbe", "livenessProbe", "readinessProbe"} <= container.keys()
    assert container["readinessProbe"]["exec"]["command"] == ["probe", "/readyz"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    assert KUBERNETES["Service"]["spec"]["sessionAffinity"] == "ClientIP"
    mounted = {each["mountPath"] for each in container["volumeMounts"]}
    assert mounted == {"/data", "/tmp", "/run/secrets/qaviz"}
    assert ":latest" not in container["image"]
