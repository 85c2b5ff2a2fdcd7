"""Asking a server on loopback: each thing once, within caps, whatever the server does."""

import json
import logging
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.llm import Caps, Failure, Limits, Request, Settings, Tool, open_session
from qaviz.model.errors import QavizError
from tests.llm_server import Answer, Call, Server, complete, fail, serve

pytestmark = pytest.mark.slow

SECRET = "sk-proj/very+secret-0123456789"
CITIES = [Request(prompt=f"Capital of country {i}?") for i in range(12)]


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    file = tmp_path / "prices.toml"
    file.write_text('currency = "USD"\n["openai:stub"]\ninput = 10\noutput = 100\n')
    return file


def settings(server: Server, folder: Path, **changed: object) -> Settings:
    return replace(Settings(model="openai:stub", journal=folder / "journal.jsonl", base_url=server.url), **changed)


def echo(call: Call) -> Answer:
    return complete(f"re: {call.prompt}")


def test_replies_come_in_the_order_of_the_requests(tmp_path, prices):
    """Each reply belongs to its request, however late it comes, with tokens, cost and time."""

    def slow_first(call: Call) -> Answer:
        return replace(echo(call), delay_s=0.1 if call.number == 0 else 0)

    with serve(slow_first) as server, open_session(settings(server, tmp_path, prices=prices)) as session:
        replies = session.ask(CITIES)
    assert [reply.text for reply in replies] == [f"re: {request.prompt}" for request in CITIES]
    reply = replies[0]
    assert (reply.failure, reply.recorded, reply.cut) == (None, False, False)
    assert reply.usage
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 20)
    assert reply.cost == pytest.approx((100 * 10 + 20 * 100) / 1e6)
    assert session.spend.calls == 12
    assert session.spend.cost == pytest.approx(12 * reply.cost)


def test_a_repeated_call_costs_nothing(tmp_path):
    """The same requests again, in another session, are answered from the journal: no call, the same replies."""
    with serve(echo) as server:
        with open_session(settings(server, tmp_path)) as session:
            first = session.ask(CITIES)
        with open_session(settings(server, tmp_path)) as session:
            again = session.ask([*reversed(CITIES), CITIES[0]])
            assert session.spend.calls == 0
            assert session.estimate(CITIES).calls == 0
        assert len(server.calls) == len(CITIES)
    assert all(reply.recorded for reply in again)
    assert [reply.text for reply in again] == [reply.text for reply in [*reversed(first), first[0]]]


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": "x"},
        {"system": "x"},
        {"temperature": 0.2},
        {"max_tokens": 7},
        {"repeat": 1},
        {"tool": Tool(name="f", description="d", parameters={})},
    ],
)
def test_another_request_is_asked(changed):
    """Whatever decides a reply is part of the hash; the model too."""
    request = Request(prompt="p")
    assert replace(request, **changed).key("openai:a") != request.key("openai:a")
    assert request.key("openai:b") != request.key("openai:a")
    assert replace(request).key("openai:a") == request.key("openai:a")


def test_a_function_call_is_asked_and_its_arguments_are_the_reply(tmp_path):
    """The tool goes to the server with its schema in order, the model is told to call it, and arguments come back."""
    tool = Tool(name="grade", description="d", parameters={"type": "object", "properties": {"b": {}, "a": {}}})

    def call_it(call: Call) -> Answer:
        assert call.body["tool_choice"] == {"type": "function", "function": {"name": "grade"}}
        assert list(call.body["tools"][0]["function"]["parameters"]["properties"]) == ["b", "a"]
        return complete(None, arguments='{"b": 1, "a": 2}')

    with serve(call_it) as server, open_session(settings(server, tmp_path)) as session:
        (reply,) = session.ask([Request(prompt="p", tool=tool)])
    assert json.loads(reply.text) == {"b": 1, "a": 2}


@pytest.mark.usefixtures("quick")
def test_passing_failures_are_sent_again(tmp_path):
    """429 with Retry-After, 500, a cut reply, a page of HTML: the same request is sent until a reply comes."""
    troubles = [
        fail(429, retry_after="1"),
        fail(500),
        replace(complete("half"), cut=True),
        Answer(body=b"<html>Bad gateway</html>", headers={"content-type": "text/html"}),
    ]

    def troubled(call: Call) -> Answer:
        return troubles[call.number] if call.number < len(troubles) else echo(call)

    with serve(troubled) as server, open_session(settings(server, tmp_path)) as session:
        (reply,) = session.ask(CITIES[:1])
        assert session.spend.calls == len(troubles) + 1
    assert reply.failure is None
    assert reply.text == f"re: {CITIES[0].prompt}"


def test_retry_after_is_waited_for(tmp_path):
    """After 429 with Retry-After: 1 nothing at all is sent for a second."""
    times: list[float] = []

    def busy(call: Call) -> Answer:
        times.append(time.monotonic())
        return fail(429, retry_after="1") if call.number == 0 else echo(call)

    limits = Limits(in_flight=1)
    with serve(busy) as server, open_session(settings(server, tmp_path, limits=limits)) as session:
        session.ask(CITIES[:2])
    assert times[1] - times[0] >= 1.0


@pytest.mark.usefixtures("quick")
def test_what_fails_for_good_is_said_and_asked_again_later(tmp_path):
    """A request that the server rejects, or always fails, has a failure; the others go on; only it is asked again."""

    def picky(call: Call) -> Answer:
        if "country 3?" in call.prompt:
            return fail(422, "no\nthird country \x1b[31m")
        return fail(503) if "country 4?" in call.prompt else echo(call)

    with serve(picky) as server:
        with open_session(settings(server, tmp_path)) as session:
            replies = session.ask(CITIES)
        with open_session(settings(server, tmp_path)) as session:
            session.ask(CITIES)
            assert session.spend.calls == 1 + Limits().attempts
    failures = {i: reply.failure for i, reply in enumerate(replies) if reply.failure}
    assert failures == {3: Failure.REJECTED, 4: Failure.SERVER_ERROR}
    assert "HTTP 422: no third country [31m" in replies[3].detail


def test_odd_replies_are_kept_as_what_they_are(tmp_path):
    """Empty, refused, filtered, cut at max_tokens, too large: each is said, paid once, and in the journal. Tokens are
    counted by size where a server does not say them, or says nonsense."""
    answers = {
        "0?": complete(""),
        "1?": complete(None, refusal="I cannot help."),
        "2?": complete("", finish="content_filter"),
        "3?": complete("half a sent", finish="length"),
        "4?": complete("x" * 1_000_000),
        "5?": complete("lone \ud800 surrogate"),
        "6?": complete("x" * 400, usage=None),
        "7?": complete("x" * 400, usage=(-5, 10**40)),
    }
    requests = CITIES[: len(answers)]
    with serve(lambda call: answers[call.prompt.split()[-1]]) as server:
        with open_session(settings(server, tmp_path)) as session:
            first = session.ask(requests)
        with open_session(settings(server, tmp_path)) as session:
            again = session.ask(requests)
        assert len(server.calls) == len(answers)
    assert [reply.failure for reply in first] == [
        *(Failure.EMPTY, Failure.REFUSED, Failure.REFUSED),
        *(None, Failure.TOO_LARGE, None, None, None),
    ]
    assert [reply.usage.output_tokens for reply in first[6:]] == [100, 100]
    assert [(each.text, each.failure, each.cut) for each in again] == [
        (each.text, each.failure, each.cut) for each in first
    ]
    assert first[3].cut
    first[5].text.encode()


@pytest.mark.parametrize("status", [401, 404, 307])
def test_nothing_goes_on_where_nothing_can_succeed(tmp_path, status):
    """A refused key, an unknown model or a redirect ends the asking at once, in one error; neither key nor text goes
    where a redirect leads."""
    with serve(echo) as other:
        answer = replace(fail(status), headers={"location": other.url})
        with serve(lambda _: answer) as server:
            chosen, said = settings(server, tmp_path), f"HTTP {status}"
            with open_session(chosen) as session, pytest.raises(QavizError, match=said) as raised:
                session.ask(CITIES)
            assert len(server.calls) <= Limits().in_flight
        assert other.calls == []
    assert len(raised.value.problems) == 1


@pytest.mark.parametrize("in_flight", [1, 5])
def test_a_cap_of_calls_is_never_passed(tmp_path, in_flight):
    """The server is asked exactly as often as the cap says; the rest is said to be not asked; later it goes on."""
    chosen = {"caps": Caps(calls=7), "limits": Limits(in_flight=in_flight)}
    with serve(echo) as server:
        with open_session(settings(server, tmp_path, **chosen)) as session:
            replies = session.ask(CITIES)
            assert session.stopped == "the cap of 7 calls"
        assert len(server.calls) == 7
        assert [reply.failure for reply in replies].count(Failure.CAP) == 5
        with open_session(settings(server, tmp_path, **chosen)) as session:
            assert all(reply.failure is None for reply in session.ask(CITIES))
        assert len(server.calls) == 12


@pytest.mark.parametrize("caps", [Caps(tokens=360), Caps(money=0.009, currency="USD")])
def test_a_cap_is_overshot_by_calls_in_flight_alone(tmp_path, prices, caps):
    """Three replies reach the cap of tokens or money: at most what is in flight comes in beyond it."""
    limits = Limits(in_flight=2)
    with serve(echo) as server:
        with open_session(settings(server, tmp_path, caps=caps, limits=limits, prices=prices)) as session:
            replies = session.ask(CITIES)
        assert 3 <= len(server.calls) <= 3 + limits.in_flight
    assert any(reply.failure is Failure.CAP for reply in replies)


def test_a_money_cap_needs_a_price(tmp_path, monkeypatch):
    """Elsewhere than on this machine a money cap without a price is refused before anything is asked; a model on this
    machine that no file of prices names costs nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    away = Settings(
        model="openai:stub", journal=tmp_path / "j.jsonl", base_url="http://10.1.1.1/v1", caps=Caps(money=5.0)
    )
    with pytest.raises(QavizError, match="no price of openai:stub"), open_session(away):
        pass
    caps = Caps(money=5.0, currency="EUR")
    with serve(echo) as server, open_session(settings(server, tmp_path, caps=caps)) as session:
        session.ask(CITIES)
        assert (session.spend.cost, session.spend.currency) == (0.0, "EUR")


def test_an_estimate_is_one_figure_and_its_most(tmp_path, prices):
    """Before the first call the likely cost of replies of a sixth of what is allowed is a fifth off at most,
    nothing can cost more than the most, and replies that are kept are no longer estimated."""
    requests = [Request(prompt=f"{i} " + "word " * (300 + i), max_tokens=1_500) for i in range(60)]

    def sized(call: Call) -> Answer:
        return complete("ok", usage=(len(call.prompt) // 4, 200 + 10 * (len(call.prompt) % 9)))

    with serve(sized) as server, open_session(settings(server, tmp_path, prices=prices)) as session:
        before = session.estimate(requests)
        session.ask(requests[:20])
        rest = session.estimate(requests)
        session.ask(requests)
        spent = session.spend.cost
    assert before.cost == pytest.approx(spent, rel=0.2)
    assert spent < before.cost_most
    assert (rest.calls, rest.recorded, before.calls) == (40, 20, 60)
    assert f"{before.cost:,.2f} USD (at most {before.cost_most:,.2f})" in before.describe()


def test_the_key_stays_where_it_is(tmp_path, monkeypatch, caplog):
    """A server that echoes every header puts the key into no journal, reply, error or log."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)

    def leak(call: Call) -> Answer:
        assert call.headers["authorization"] == f"Bearer {SECRET}"
        said = json.dumps(dict(call.headers))
        if "country 1?" in call.prompt:
            return fail(422, said)
        return replace(complete(said), headers={"x-echo": call.headers["authorization"]})

    with serve(leak) as server, open_session(settings(server, tmp_path)) as session:
        replies = session.ask(CITIES[:3])
    with serve(lambda call: fail(401, call.headers["authorization"])) as server:
        refused = settings(server, tmp_path / "other")
        with open_session(refused) as session, pytest.raises(QavizError) as raised:
            session.ask(CITIES[:1])
    assert "[key removed]" in replies[0].text
    kept = (tmp_path / "journal.jsonl").read_text()
    for text in (kept, repr(replies), str(raised.value), caplog.text, repr(refused)):
        assert SECRET not in text
        assert SECRET.replace("/", "\\/") not in text


def test_a_missing_key_and_a_bad_address_are_refused(tmp_path, monkeypatch):
    """Before anything is asked, and without showing what stands in the address or the key."""
    for url, key, words in (
        ("https://example.org/v1", "", "no key"),
        ("https://example.org/v1", "two hunter22", "blanks"),
        ("https://example.org/v1", "hunter22\nhunter22", "more than one line"),
        ("https://me:hunter22/x@example.org", "", "user name"),
        ("https://me:hunter22@example.org", "", "user name"),
    ):
        monkeypatch.setenv("OPENAI_API_KEY", key)
        asked_by = Settings(model="openai:x", journal=tmp_path / "j.jsonl", base_url=url)
        with pytest.raises(QavizError, match=words) as raised, open_session(asked_by):
            pass
        assert "hunter22" not in str(raised.value)


def test_cancel_ends_the_asking_and_keeps_what_came(tmp_path):
    """After a cancel nothing more is sent; what was in flight is kept, the rest is said to be not asked."""
    told = threading.Event()

    def script(call: Call) -> Answer:
        if call.number == 3:
            told.set()
        return echo(call)

    limits = Limits(in_flight=1)
    with serve(script) as server:
        with open_session(settings(server, tmp_path, limits=limits)) as session:
            replies = session.ask(CITIES, cancelled=told.is_set)
        assert len(server.calls) == 4
    assert [reply.failure for reply in replies].count(Failure.CANCELLED) == 8


def test_a_recording_answers_without_a_server(tmp_path):
    """`replay` needs no key and no server, says so, and leaves requests open that nobody recorded."""
    with serve(echo) as server, open_session(settings(server, tmp_path)) as session:
        session.ask(CITIES[:2])
    recording = tmp_path / "journal.jsonl"
    replayed = Settings(model="openai:stub", journal=tmp_path / "unused.jsonl", replay=recording)
    with open_session(replayed) as session, open_session(replayed) as twice:
        assert session.recorded
        replies = session.ask(CITIES[:3])
        assert [reply.text for reply in twice.ask(CITIES[:2])] == [reply.text for reply in replies[:2]]
    assert [reply.failure for reply in replies] == [None, None, Failure.NOT_RECORDED]
    assert not (tmp_path / "unused.jsonl").exists()


@pytest.mark.usefixtures("quick")
def test_a_server_that_refuses_a_parameter_is_asked_without_it(tmp_path):
    """Newer models take max_completion_tokens and no temperature; what a refusal names is left out from then on."""

    def strict(call: Call) -> Answer:
        if "max_tokens" in call.body:
            return fail(400, "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
        if "temperature" in call.body:
            return fail(400, "Unsupported value: 'temperature' does not support 0.1 with this model.")
        return echo(call)

    with serve(strict) as server, open_session(settings(server, tmp_path)) as session:
        assert all(reply.failure is None for reply in session.ask(CITIES))
        assert session.spend.calls <= len(CITIES) + 2 * Limits().in_flight


def test_in_flight_and_pace_are_kept(tmp_path):
    """Never more at once than the limit; 240 a minute means that 7 take a second and a half."""
    slow = Limits(in_flight=3, requests_per_minute=240)

    with serve(lambda call: replace(echo(call), delay_s=0.02)) as server:
        with open_session(settings(server, tmp_path, limits=slow)) as session:
            began = time.monotonic()
            session.ask(CITIES[:7])
        assert server.most_at_once <= 3
    assert time.monotonic() - began >= 1.5


def test_a_local_server_is_held_to_the_schema(tmp_path):
    """`ollama:NAME` sends a function as the schema of the reply, without a key; a server that refuses schemas gets the
    function."""
    tool = Tool(name="submit", description="", parameters={"type": "object", "properties": {"a": {"type": "integer"}}})
    sent = []

    def strict(call: Call) -> Answer:
        sent.append("response_format" in call.body)
        if "response_format" in call.body and len(sent) > 1:
            return fail(400, "response_format is not supported")
        return complete('{"a": 1}') if "response_format" in call.body else complete(None, arguments='{"a": 2}')

    with serve(strict) as server:
        settings = Settings(model="ollama:small:1b", journal=tmp_path / "j.jsonl", base_url=server.url)
        with open_session(settings) as session:
            first = session.ask([Request(prompt="one", tool=tool)])
            second = session.ask([Request(prompt="two", tool=tool)])
        assert "Bearer" not in str(server.calls[0].headers)
    assert (first[0].text, second[0].text, sent) == ('{"a": 1}', '{"a": 2}', [True, True, False])
