"""Runs commands, several at a time, each in a session of its own. A job that has to go gets
SIGTERM, and SIGKILL three seconds later; whatever it left in its process group gets SIGKILL in any
case."""

import os
import signal
import subprocess
import time

from text import file_text, shown_name

# On the wall, as a last resort: the limits of a judge count work, which takes long on a busy
# machine.
JOB_SECONDS = 3600
NOT_BEGUN = 3  # the status of a script of ours that had no folder, or no box

stops = []  # the signals that asked to stop


def hold_signals():
    """From now on Ctrl-C, SIGTERM and SIGHUP are noted, and run_jobs() looks for them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: stops.append(number))


class Job:
    """A command, and the file that takes what it prints. `status` is None until it has ended."""

    def __init__(self, words, said):
        self.words, self.said, self.status, self.seconds = words, said, None, 0.0

    def start(self):
        self.began = time.monotonic()
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=said,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def kill(self, number):
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

    def has_ended(self):
        self.seconds = time.monotonic() - self.began
        if self.seconds > JOB_SECONDS:
            self.kill(signal.SIGKILL)
        self.status = self.process.poll()
        if self.status is not None:
            self.kill(signal.SIGKILL)  # whatever it left behind
        return self.status is not None

    def said_first(self):
        """The first line that it printed."""
        words = file_text(self.said).strip().partition("\n")[0]
        return shown_name(words) if words else "it ended without a word"


def job_into(folder, script, first, second, said):
    """The command `sh script first second folder`, which makes that folder first."""
    make = 'mkdir -m 755 "$3" || exit 3; exec sh "$0" "$@"'
    return Job(["sh", "-c", make, script, first, second, folder], said)


def stop_all(jobs):
    """What they did is not known, so they have not ended."""
    end = time.monotonic() + 3.0
    for job in jobs:
        job.kill(signal.SIGTERM)
    while not all([job.has_ended() for job in jobs]):
        if time.monotonic() > end:
            for job in jobs:
                job.kill(signal.SIGKILL)
        time.sleep(0.02)
    for job in jobs:
        job.status = None


def run_jobs(jobs, at_once, ended=lambda job: True):
    """Runs all jobs. Calls `ended` for each, which returns False to start no more. False if the run
    was stopped; then nothing is left running."""
    waiting, running = list(reversed(jobs)), []
    while not stops:
        while waiting and len(running) < at_once:
            running.append(waiting.pop())
            running[-1].start()
        if not running:
            return True
        time.sleep(0.02)
        for job in [job for job in running if job.has_ended()]:
            if stops:  # Ctrl-C may have ended it
                break
            running.remove(job)
            if not ended(job):
                waiting = []
    stop_all(running)
    return False


def run_job(words, said):
    job = Job(words, said)
    run_jobs([job], 1)
    return job


def remove_all(path):
    """Deletes a file or a folder of ours with all that is in it; no link is followed. Archives hold
    folders without any permission, and some that are very deep."""
    if os.path.lexists(path):
        subprocess.run(["sh", "-c", 'chmod -R u+rwx "$0"; rm -rf "$0"', path],
                       start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
