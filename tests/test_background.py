"""Work beside the pages."""

import threading
import time

import pytest

from qaviz.background import Job, Jobs
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.scoring.bridge import Cancelled, CancelledError

SOON_S = 5


def until_told(progress: Progress, cancelled: Cancelled) -> str:
    """Half done at once, and then never done."""
    progress(0.5, "half done")
    while not cancelled():
        time.sleep(0.01)
    raise CancelledError


def refused(_progress: Progress, _cancelled: Cancelled) -> str:
    raise QavizError(Problem(where="here", found="this", expected="that", fix="Mend it."))


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


def test_a_refusal_is_kept_for_the_page():
    """What a user can mend is kept with all its problems; the job has no result."""
    job = ended(Job(refused))
    assert job.result is None
    assert [problem.fix for problem in job.refusal.problems] == ["Mend it."]


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
