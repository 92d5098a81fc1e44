"""Dates as computers, as systems for courses and as people write them. A computer's date is in UTC
unless it names a zone; the others are in the zone of this machine."""

import re
from datetime import datetime, timedelta, timezone

# The first letters of a month's name, in English and in German.
MONTHS = {name: 1 + i % 12 for i, name in enumerate(
    "jan feb mar apr may jun jul aug sep oct nov dec "
    "jan feb mär apr mai jun jul aug sep okt nov dez".split())}


def time_of(year, month, day, hour, minute, second=0, zone=timezone.utc):
    """In seconds since 1970; None if there is no such time. A zone that is None is that of here."""
    if hour > 24 or minute > 59:
        return None
    try:
        moment = datetime(year, month, day) + timedelta(hours=hour, minutes=minute, seconds=second)
        return int(moment.replace(tzinfo=zone).timestamp())
    except (ValueError, OverflowError):
        return None


def read_moment(text):
    """Reads "2026-11-30T23:59:00.5+01:00", with a blank for the T, with Z or UTC, or without a
    zone, which is UTC, too. Returns the time, or None, and what comes behind it."""
    found = re.match(r"(\d{4})-(\d\d?)-(\d\d?)[T ](\d\d?):(\d\d?)(?::(\d\d?))?(?:\.\d*)?"
                     r"(?: *(?:UTC|Z|([+-])(\d\d):?(\d\d)))?", text)
    if not found:
        return None, text
    sign, hours, minutes = found[7], int(found[8] or 0), int(found[9] or 0)
    ahead = timedelta(hours=hours, minutes=minutes).total_seconds() * (-1 if sign == "-" else 1)
    time = time_of(*(int(part or 0) for part in found.groups()[:6]))
    return time and int(time - ahead), text[found.end():]


def moment_in_name(name):
    """A time somewhere in a name, as in "ada_attempt_2026-11-30-23-59-00"."""
    found = re.search(r"(20\d\d)-(\d\d)-(\d\d)[-_T ](\d\d)[-.:](\d\d)[-.:](\d\d)", name)
    return found and time_of(*map(int, found.groups()), zone=None)


def moment_in_words(words):
    """Reads "Monday, 30 November 2026, 11:59 PM", in English or German."""
    numbers = [int(number) for number in re.findall(r"(?<![\d:])\d{1,4}(?![\d:])", words)]
    clock = re.search(r"(\d\d?):(\d\d)", words)
    month = next((MONTHS[word[:3].lower()] for word in re.findall(r"[^\W\d]+", words)
                  if word[:3].lower() in MONTHS), 0)
    year, day = max(numbers, default=0), min(numbers, default=0)
    if not clock or year < 1900:
        return None
    half = re.search(r"\b([ap])m\b", words, re.I)
    hour = int(clock[1]) if not half else int(clock[1]) % 12 + 12 * (half[1] in "pP")
    return time_of(year, month, day, hour, int(clock[2]), zone=None)


def moment(time):
    """2026-11-30 22:59:00 UTC; "" for no time."""
    return f"{datetime.fromtimestamp(time, timezone.utc):%Y-%m-%d %H:%M:%S} UTC" if time else ""
