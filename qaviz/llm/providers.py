"""The transports of models: OpenAI's chat completions over HTTP, as OpenAI, Azure, vLLM, Ollama, llama.cpp and
Bedrock's endpoint speak them; and Amazon Bedrock's Converse, through boto3, which finds the keys of AWS as every tool
of AWS does.
"""

import ipaddress
import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx

from qaviz.llm import requests as r
from qaviz.model.errors import QavizError, stop
from qaviz.model.visible import Secrets, in_one_line, redact

URL_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_URL = "https://api.openai.com/v1"
PASSING_STATUS = {408, 409, 425, 429, *range(500, 600)}
HOPELESS_STATUS = {401, 402, 403, 404, 405, 407}

# Replies' headers may echo what was sent: at DEBUG these would write them down.
logging.getLogger("httpcore").setLevel(logging.INFO)


def is_address(url: str) -> bool:
    """Whether this is an address of a web server, without a user name and a password."""
    with suppress(ValueError):  # a port that is no number may be a part of a password
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        return is_web and "@" not in parts.netloc
    return False


def find_base_url(base_url: str | None, default: str) -> str:
    """The server's address without a slash at its end. Raises QavizError if it is no address for requests."""
    url = (base_url or os.environ.get(URL_VARIABLE, "").strip() or default).rstrip("/")
    if not is_address(url) or {"?", "#"} & set(url):
        fault = "an address that cannot be used"  # not the address itself: it may hold a password
        expected = "http(s)://host[:port]/path without user name, password or query"
        fix = "Write the address up to /v1, such as http://127.0.0.1:11434/v1; keys belong into OPENAI_API_KEY."
        raise stop(URL_VARIABLE, fault, expected, fix)
    return url


def is_on_this_machine(url: str) -> bool:
    """Whether the server is on loopback, where tokens have no price and no proxy stands between."""
    host = urlsplit(url).hostname or ""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def fetch(
    client: httpx.Client,
    url: str,
    timeout_s: float,
    largest: int,
    **content: Any,  # noqa: ANN401 - httpx's
) -> tuple[int, httpx.Headers, bytes]:
    """Status, headers and body of the answer to one POST, which `content` holds; of an error's body the beginning.
    Raises TooLargeError for a longer body, RejectedError for a compressed one, PassingError for a lost connection and
    an answer that is not whole in time."""
    host, end = urlsplit(url).netloc, monotonic() + timeout_s
    try:
        with client.stream("POST", url, **content) as response:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise r.RejectedError(r.Failure.NOT_A_REPLY, f"{host}: a compressed reply, which was not asked for")
            body = bytearray()
            for part in response.iter_raw():
                if monotonic() > end:
                    raise TimeoutError
                if len(body) + len(part) > largest:
                    if response.status_code == 200:
                        raise r.TooLargeError
                    break
                body += part
            return response.status_code, response.headers, bytes(body)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise r.PassingError(r.Failure.TIMED_OUT, f"{host}: no reply within {timeout_s:g} s") from error
    except httpx.ConnectError as error:
        raise r.PassingError(r.Failure.SERVER_ERROR, f"{host}: no connection") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise r.PassingError(r.Failure.SERVER_ERROR, f"{host}: no whole reply ({type(error).__name__})") from error


def open_client(url: str, headers: Mapping[str, str], timeout_s: float, in_flight: int) -> httpx.Client:
    """A client for requests to this server alone: no redirect is followed, and no proxy stands before loopback."""
    return httpx.Client(
        # Not compressed: what is counted is then what arrives.
        headers={**headers, "accept-encoding": "identity"},
        timeout=httpx.Timeout(timeout_s),
        limits=httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight),
        follow_redirects=False,
        trust_env=not is_on_this_machine(url),
    )


_REFUSALS = {
    "max_tokens": ("max_completion_tokens",),
    "temperature": ("temperature",),
    "tool_choice": ("tool_choice",),
    "response_format": ("response_format", "json_schema"),
}
"""By parameter: words of a refusal with status 400 that name it, so that it is left out, or renamed, from then on."""


class OpenAITransport:
    """Sends chat completions to one server."""

    format = r.OPENAI

    def __init__(
        self, name: str, url: str, key: str | None, timeout_s: float, in_flight: int, *, binds_schemas: bool
    ) -> None:
        self._name, self._timeout_s, self._binds_schemas = name, timeout_s, binds_schemas
        self._refused = frozenset[str]()
        """Parameters that the server has refused."""
        self._host = urlsplit(url).netloc
        self._url = f"{url}/chat/completions"
        self._secrets = Secrets([key])
        headers = {"content-type": "application/json", "accept": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self._client = open_client(url, headers, timeout_s, in_flight)

    def send(self, request: r.Request) -> str:
        """The raw body of the reply, without secrets. Raises PassingError, RejectedError or TooLargeError of this
        request, QavizError where no request can succeed."""
        body = self._write_body(request)
        content = json.dumps(body, ensure_ascii=True).encode()
        status, headers, reply = fetch(self._client, self._url, self._timeout_s, r.LARGEST_REPLY, content=content)
        text = self._secrets.hide(reply.decode(errors="replace"))
        if status == 200:
            return text
        error = self._error(status, headers, text)
        if status == 400:
            self._refused |= {name for name, words in _REFUSALS.items() if any(word in text for word in words)}
            if self._write_body(request) != body:
                # Adapted now, or meanwhile for another request in flight.
                error = r.PassingError(r.Failure.REJECTED, str(error), wait=0.0)
        raise error

    def _write_body(self, request: r.Request) -> dict[str, object]:
        """The request as the protocol has it, without what the server has refused."""
        system = [{"role": "system", "content": r.clean(request.system)}] if request.system else []
        body: dict[str, object] = {
            "model": self._name,
            "messages": [*system, {"role": "user", "content": r.clean(request.prompt)}],
            "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens": request.max_tokens,
            "temperature": request.temperature,
        }
        bound = request.schema or (request.tool if self._binds_schemas else None)
        if request.tool and not (self._binds_schemas and "response_format" not in self._refused):
            body["tools"] = [{"type": "function", "function": vars(request.tool)}]
            body["tool_choice"] = {"type": "function", "function": {"name": request.tool.name}}
        if bound:
            form = {"name": bound.name, "schema": bound.parameters, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return {name: value for name, value in body.items() if name not in self._refused}

    def close(self) -> None:
        """End its connections."""
        self._client.close()

    def _error(self, status: int, headers: httpx.Headers, text: str) -> Exception:
        message: object = text
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            error = json.loads(text)["error"]
            message = error["message"] if isinstance(error, dict) else error
        words = f"{self._host}: HTTP {status}: {in_one_line(redact(r.clean(str(message))))}"
        if 300 <= status < 400:
            return stop("language model", words, "a server that replies itself", f"Name that server in {URL_VARIABLE}.")
        if status in HOPELESS_STATUS or "insufficient_quota" in text:
            fix = f"Look at {r.KEY_VARIABLE}, {URL_VARIABLE}, the model's name and the account."
            return stop("language model", words, f"that the server lets the key use the model {self._name}", fix)
        if status in PASSING_STATUS:
            return r.PassingError(r.Failure.SERVER_ERROR, words, retry_after(headers))
        return r.RejectedError(r.Failure.REJECTED, words)


def read_completion(reply: Any) -> r.Reply:  # noqa: ANN401 (JSON of a server)
    """What a chat completion says. Raises as a dictionary does where it is none."""
    choice = reply["choices"][0]
    message = choice["message"]
    arguments = [call["function"]["arguments"] for call in message.get("tool_calls") or []]
    text = "\n".join(map(_as_text, arguments)) if arguments else _as_text(message.get("content"))
    refusal = message.get("refusal") or ""
    usage = reply.get("usage") or {}
    return r.Reply(
        text=r.clean(_as_text(refusal) or text),
        failure=r.Failure.REFUSED if refusal or choice.get("finish_reason") == "content_filter" else None,
        cut=choice.get("finish_reason") == "length",
        usage=r.plausible_usage(usage.get("prompt_tokens"), usage.get("completion_tokens")),
    )


def _as_text(content: object) -> str:
    """A message's content, which some servers send in parts, and arguments, which some send as an object."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") in ("text", "output_text"))
    return json.dumps(content, ensure_ascii=False)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; None where it says none, or a date."""
    try:
        seconds = float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None


PASSING_CODES = {
    *("ThrottlingException", "TooManyRequestsException", "ServiceUnavailableException", "InternalServerException"),
    *("ModelTimeoutException", "ModelNotReadyException", "ModelErrorException", "RequestTimeoutException"),
}


class BedrockTransport:
    """Sends Converse requests to one model."""

    format = r.BEDROCK

    def __init__(self, name: str, timeout_s: float, in_flight: int) -> None:
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
        except ImportError:
            expected = "boto3, which speaks to Amazon Bedrock"
            raise stop("bedrock", "boto3 is not installed", expected, "Install it: pip install boto3.") from None
        # botocore writes down headers, which have signatures, at DEBUG.
        logging.getLogger("botocore").setLevel(logging.INFO)
        config = Config(
            # What is tried again, and when, is decided by the session, which counts it.
            retries={"total_max_attempts": 1},
            read_timeout=timeout_s,
            connect_timeout=min(timeout_s, 20),
            max_pool_connections=in_flight,
        )
        try:
            self._client = boto3.session.Session().client("bedrock-runtime", config=config)
        except (BotoCoreError, ValueError) as error:
            raise _stop_asking(type(error).__name__) from None
        self._name, self._timeout_s = name, timeout_s
        self._secrets = Secrets(os.environ.get(name) for name in r.AWS_SECRETS)

    def send(self, request: r.Request) -> str:
        """As `OpenAITransport.send`."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            reply = self._client.converse(modelId=self._name, **converse_body(request))
        except ClientError as error:
            raise self._error(error.response) from None
        except BotoCoreError as error:
            kind = type(error).__name__
            if kind in ("NoCredentialsError", "PartialCredentialsError", "NoRegionError"):
                raise _stop_asking(kind) from None
            if kind in ("ReadTimeoutError", "ConnectTimeoutError"):
                raise r.PassingError(r.Failure.TIMED_OUT, f"Bedrock: no reply within {self._timeout_s:g} s") from None
            if kind == "ParamValidationError":
                raise r.RejectedError(r.Failure.REJECTED, f"Bedrock: {kind}") from None
            raise r.PassingError(r.Failure.SERVER_ERROR, f"Bedrock: {kind}") from None
        reply.pop("ResponseMetadata", None)
        raw = self._secrets.hide(json.dumps(reply, default=str))
        if len(raw) > r.LARGEST_REPLY:
            raise r.TooLargeError
        return raw

    def close(self) -> None:
        """End its connections."""
        self._client.close()

    def _error(self, response: Any) -> Exception:  # noqa: ANN401 (a dictionary of botocore's own type)
        code = str(response.get("Error", {}).get("Code", ""))
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        message = self._secrets.hide(str(response.get("Error", {}).get("Message", "")))
        words = in_one_line(f"Bedrock: {code}: {message}")
        if code in PASSING_CODES or status >= 500 or status == 429:
            return r.PassingError(r.Failure.SERVER_ERROR, words)
        if code == "ValidationException":
            return r.RejectedError(r.Failure.REJECTED, words)
        return _stop_asking(words)


Transport = OpenAITransport | BedrockTransport


def _stop_asking(fault: str) -> QavizError:
    """The error of a service that refuses every request."""
    fix = "Set AWS_REGION and the credentials as for the AWS command line, and ask for access to the model."
    return stop("Amazon Bedrock", fault, "a region, credentials, and access to the model", fix)


def converse_body(request: r.Request) -> dict[str, object]:
    """The request as Converse has it, without the model."""
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": [{"text": r.clean(request.prompt)}]}],
        "inferenceConfig": {"maxTokens": request.max_tokens, "temperature": request.temperature},
    }
    if request.system:
        body["system"] = [{"text": r.clean(request.system)}]
    if tool := request.tool or request.schema:
        form = {"json": dict(tool.parameters)}
        specification = {"name": tool.name, "description": tool.description, "inputSchema": form}
        body["toolConfig"] = {"tools": [{"toolSpec": specification}], "toolChoice": {"tool": {"name": tool.name}}}
    return body


def read_converse(reply: Any) -> r.Reply:  # noqa: ANN401 (JSON of a server)
    """What a reply of Converse says. Raises as a dictionary does where it is none."""
    parts = reply["output"]["message"]["content"]
    arguments = [json.dumps(part["toolUse"]["input"], ensure_ascii=False) for part in parts if "toolUse" in part]
    text = "\n".join(arguments) if arguments else "".join(part["text"] for part in parts if "text" in part)
    usage, reason = reply.get("usage") or {}, reply.get("stopReason")
    return r.Reply(
        text=r.clean(text),
        failure=r.Failure.REFUSED if reason in ("guardrail_intervened", "content_filtered") else None,
        cut=reason == "max_tokens",
        usage=r.plausible_usage(usage.get("inputTokens"), usage.get("outputTokens")),
    )


_READERS = {r.OPENAI: read_completion, r.BEDROCK: read_converse}


def read_raw(format: str, raw: str) -> r.Reply | None:
    """What a raw reply of this format says; None if it is no reply."""
    try:
        return _READERS[format](json.loads(raw))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None
