"""junit.xml: a testsuite for each row, and in it a testcase for each test."""

import re

from judged import ERROR, FAIL, NOT_BUILT, PASS, SKIPPED
from output import UNBOXED
from rows import MISSING, STOPPED

ELEMENTS = {FAIL: "failure", ERROR: "error", SKIPPED: "skipped"}
FORBIDDEN = "[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def xml(words):
    """What XML forbids stands as the sign for what cannot be shown. ]]> loses its bracket."""
    allowed = re.sub(FORBIDDEN, "\ufffd", words)
    return re.sub("[&<>\"\n\t]", lambda sign: f"&#{ord(sign[0])};", allowed)


def begin(element, **attributes):
    """The beginning of an element, up to where more may come. An attribute that is None is left
    out."""
    return f"<{element}" + "".join(f' {name}="{xml(str(value))}"'
                                   for name, value in attributes.items() if value is not None)


def case_of(of, name, place, seconds, result, kind, why):
    """A case; its place is "test_softmax.c:12" or something else."""
    found = re.fullmatch(r"(.*):(\d+)", place)
    file, line = found.groups() if found else (None, None)
    text = "    " + begin("testcase", classname=of, name=name, file=file, line=line, time=seconds)
    if result == PASS:
        return text + "/>\n"
    inner = begin(ELEMENTS[result], type=None if result == SKIPPED else kind, message=why)
    return f"{text}>\n      {inner}/>\n    </testcase>\n"


def whole_case(row):
    """A lesson that was not handed in, not read or not built is one case."""
    result = SKIPPED if row.state in (MISSING, STOPPED) else ERROR
    name = "it builds" if row.state == NOT_BUILT else "it is handed in"
    return result, case_of(row.lesson.folder, name, "", 0, result, row.state,
                           row.problem() or row.state)


def cases_of(row):
    """Pairs of a result and its case."""
    if not row.is_judged():
        yield whole_case(row)
    for exercise in row.verdict.exercises if row.verdict else []:
        for test in exercise.tests:
            kind = "wrong" if test.result == FAIL else "broken"
            said = test.said or exercise.mistake or exercise.state
            yield test.result, case_of(f"{row.lesson.folder}.{exercise.name}", test.sentence,
                                       test.place, f"{test.seconds:.4f}", test.result, kind, said)


def suite_of(row):
    cases = list(cases_of(row))
    results = [result for result, _ in cases]
    head = begin("testsuite", name=f"{row.by.shown}.{row.lesson.folder}", tests=len(cases),
                 failures=results.count(FAIL), errors=results.count(ERROR),
                 skipped=results.count(SKIPPED), time=f"{row.seconds():.3f}")
    return f"  {head}>\n{''.join(case for _, case in cases)}  </testsuite>\n"


def write_junit(o):
    unboxed = f"<!-- {UNBOXED} -->\n" if o.unboxed else ""
    suites = "".join(map(suite_of, o.students.rows()))
    o.save("junit.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{unboxed}'
           f"{begin('testsuites', name=o.name)}>\n{suites}</testsuites>\n")
