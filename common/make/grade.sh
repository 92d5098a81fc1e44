#!/bin/sh
# grade.sh [LESSON...]: grades a whole class, each submission in a box. The options are in the
# environment: DIR, OUT, JOBS, NAME ... Status 0: everything is graded. Status 1: a submission is not
# graded, for a reason on our side. Status 2: grading could not begin.
set -u
. "${0%/*}/lib.sh"
judge=${LOOKBACK_JUDGE:-common/grade}
LOOKBACK_ASKED="$*"
LOOKBACK_GRADE_IN=${LOOKBACK_GRADE_IN:-build/grade}
LOOKBACK_HANDED_OUT=${RELEASE_IN:-build}/lookback-release/RELEASE # of make release, if one was made here
export LOOKBACK_ASKED LOOKBACK_GRADE_IN LOOKBACK_HANDED_OUT

# make itself ends with 2 whenever something failed.
at_end() {
    case $? in
    1) echo "status 1: some submissions could not be graded, which is not the students' fault" >&2 ;;
    2) echo "status 2: nothing was graded" >&2 ;;
    esac
}
trap at_end EXIT

sh common/make/need.sh python3 || exit 2
# No box shows the class, should it lie where programs do.
LOOKBACK_HIDE=$(for folder in "${DIR:-}" "${OUT:-}"; do [ ! -d "$folder" ] || (cd -P -- "$folder" && pwd); done)
export LOOKBACK_HIDE

if [ "${UNSAFE:-0}" = 0 ]; then
    sh common/make/need.sh -o bwrap
    ! ls "${DIR:-.}"/*.zip "${DIR:-.}"/*/*.zip >/dev/null 2>&1 || sh common/make/need.sh -o unzip
    sh "$judge/box.sh" probe || exit 2
fi

# What a verdict depends on besides the file that was handed in, as a line "LESSON HASH" each: what all
# lessons share, the lesson's own tests, and the headers and references of it and of those before it.
keys=$LOOKBACK_GRADE_IN/keys
mkdir -p "$LOOKBACK_GRADE_IN" || exit 2
sums=$(find Makefile common tests lessons solutions \( -path common/grade/class -o -path tests/regressions -o -path tests/grade \
    -o -path tests/suites -o -path tests/tutor \) -prune -o -type f ! -name README.md ! -path 'lessons/*.c' -print |
    LC_ALL=C sort | tr '\n' '\0' | xargs -0 $sha256)
shared=$(printf '%s\n' "$sums" | grep -vE '  (tests|lessons|solutions)/[0-9]' | $sha256)
shared="$shared $($LOOKBACK_CC --version | head -n 1) ${SANITIZE:-yes} ${UNSAFE:-0} $judge"
until=
for lesson in $LOOKBACK_LESSONS; do
    until=${until:+$until|}$lesson
    own=$(printf '%s\n' "$sums" | grep -E "  (tests/$lesson|(lessons|solutions)/($until))/")
    printf '%s %s\n' "$lesson" "$(printf '%s\n' "$shared" "$own" | $sha256)"
done >"$keys.$$" && mv "$keys.$$" "$keys" || exit 2

# Until this script ends. On file systems without locks, nothing is locked.
exec 9>"$LOOKBACK_GRADE_IN/lock"
flock -n 9 2>/dev/null
[ $? != 1 ] || { echo "Another make grade is running here. Wait until it has ended." >&2; exit 2; }
python3 -I -B -X utf8 common/grade/class
