"""Work beside the pages."""

import threading
import time

import pytest

from qaviz.background import MOST_JOBS, Job, Jobs, count_running, end_all
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress
from qaviz.processes import Cancelled, CancelledError

SOON_S = 5


def until_told(progress: Progress, cancelled: Cancelled) -> str:
    """Half done at once, and then never done."""
    progress(0.5, "half done")
    while not cancelled():
        time.sleep(0.01)
    raise CancelledError


def ended(job: Job[str]) -> Job[str]:
    job.wait(SOON_S)
    assert not job.running
    return job


def test_a_job_ends_with_its_result():
    """A job that is done has what its work returned, and neither a refusal nor a cancel."""
    job = ended(Job(lambda _progress, _cancelled: "done"))
    assert (job.result, job.refusal, job.cancelled) == ("done", None, False)


def test_a_job_says_how_far_it_is_until_it_is_cancelled():
    """A running job has the fraction and the words that its work told last; cancelled, it ends without a result."""
    job = Job(until_told)
    while job.fraction == 0:
        assert job.running
    assert job.words == "half done"
    job.cancel()
    assert (ended(job).result, job.cancelled) == (None, True)


def test_a_bug_is_loud(monkeypatch: pytest.MonkeyPatch):
    """A bug in the work reaches the log as any thread's does, and leaves a job that has ended without anything."""
    logged: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda thrown: logged.append(thrown.exc_type))
    job = ended(Job(lambda _progress, _cancelled: {}["no such key"]))
    assert logged == [KeyError]
    assert (job.result, job.refusal, job.cancelled) == (None, None, False)


def test_nobody_starts_what_is_running():
    """However many start the same work at once, it runs once, and each gets the same job; another key has its own, and
    what has ended can be started again."""
    jobs = Jobs[str]()
    got: list[Job[str]] = []
    visitors = [threading.Thread(target=lambda: got.append(jobs.start("a", until_told))) for _ in range(20)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    (job,) = set(got)
    assert jobs.newest("a") is job
    assert jobs.newest("b") is None
    other = jobs.start("b", until_told)
    assert other is not job
    job.cancel()
    again = jobs.start("a", until_told) if not ended(job).running else job
    assert again is not job
    for each in (again, other):
        each.cancel()
        ended(each)


def test_work_is_cancelled_by_whoever_started_it():
    """Where people sign in, another person cannot cancel it; on one's own machine anybody can."""
    own, nobodys = Job(until_told, "ada"), Job(until_told)
    assert [own.may_end("ada"), own.may_end("bo"), own.may_end(None)] == [True, False, False]
    assert [nobodys.may_end("ada"), nobodys.may_end(None)] == [True, True]
    for job in (own, nobodys):
        job.cancel()
        ended(job)


def test_one_person_has_so_much_work_running():
    """One piece over the limit is refused with what to do; another person's, and one's own machine's, is not."""
    jobs = Jobs[str]()
    started = [jobs.start(f"{each}", until_told, "ada") for each in range(MOST_JOBS)]
    with pytest.raises(QavizError, match="running"):
        jobs.start("one more", until_told, "ada")
    started += [jobs.start("hers", until_told, "bo"), *(jobs.start(f"nobody {each}", until_told) for each in range(5))]
    for job in started:
        job.cancel()
        ended(job)
    assert ended(jobs.start("again", lambda _progress, _cancelled: "done", "ada")).result == "done"


def test_a_server_that_stops_ends_all_work():
    """All jobs are told to end and waited for, no longer than the time that there is; then none is running."""
    patient, deaf = Job(until_told, "ada"), Job(lambda _progress, _cancelled: time.sleep(2) or "late")
    end_all(0.5)
    assert patient.cancelled
    assert count_running() == 1
    ended(deaf)
    assert count_running() == 0
