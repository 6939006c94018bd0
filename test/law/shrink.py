"""Cuts a run that differs to the steps that show it."""

import time

SECONDS_MAX = 60


def shrink(planned, failure, failure_of):
    """The plan with as few steps as still fail, and how it fails. Gives up looking for fewer after a minute."""
    end = time.monotonic() + SECONDS_MAX
    number = int(failure.split(":")[0].removeprefix("step "))
    best, last = {**planned, "steps": planned["steps"][:number]}, failure
    size = max(1, len(best["steps"]) // 2)
    while size >= 1 and time.monotonic() < end:
        start, is_smaller = 0, False
        while start < len(best["steps"]) and time.monotonic() < end:
            tried = {**best, "steps": best["steps"][:start] + best["steps"][start + size:]}
            found = failure_of(tried)
            if found:
                best, last, is_smaller = tried, found, True
            else:
                start += size
        if not is_smaller or size > 1:
            size //= 2
    return best, last
