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
sums=
at_end() {
    status=$?
    rm -rf ${sums:+"$sums"}
    case $status in
    1) echo "status 1: not all could be graded, for reasons that are not the students'" >&2 ;;
    2) echo "status 2: nothing was graded" >&2 ;;
    esac
}
trap at_end EXIT

# No box shows the class, should it lie where programs do.
LOOKBACK_HIDE=$(for folder in "${DIR:-}" "${OUT:-}"; do [ ! -d "$folder" ] || (cd -P -- "$folder" && pwd); done)
export LOOKBACK_HIDE

if [ "${UNSAFE:-0}" = 0 ]; then
    sh common/make/need.sh -o bwrap
    ! ls "${DIR:-.}"/*.zip "${DIR:-.}"/*/*.zip >/dev/null 2>&1 || sh common/make/need.sh -o unzip
    sh "$judge/box.sh" probe || exit 2
fi

# What a verdict hangs on besides the file that was handed in: a line "LESSON HASH" each.
mkdir -p "$LOOKBACK_GRADE_IN" || exit 2
sums=$LOOKBACK_GRADE_IN/keys.sums.$$
mkdir "$sums" || exit 2
find Makefile common lessons solutions tests/*.h tests/[0-9]*-* -path common/grade/class -prune -o \
    -type f ! -name README.md ! -path 'lessons/*.c' -print |
    LC_ALL=C sort | tr '\n' '\0' | xargs -0 $sha256 |
    awk -v of="$($LOOKBACK_CC --version | head -n 1) ${SANITIZE:-yes} ${UNSAFE:-0} $judge" \
        -v lessons="$LOOKBACK_LESSONS" -v folder="$sums" '
        $2 !~ /^(tests|lessons|solutions)\/[0-9]/ { of = of "\n" $0; next }
        { split($2, part, "/"); line[++n] = $0; kind[n] = part[1]; own[n] = part[2] }
        END {
            count = split(lessons, lesson, " ")
            for (i = 1; i <= count; i++) {
                there[lesson[i]] = 1
                print of >(folder "/" lesson[i])
                for (k = 1; k <= n; k++)
                    if (kind[k] == "tests" ? own[k] == lesson[i] : own[k] in there)
                        print line[k] >(folder "/" lesson[i])
                close(folder "/" lesson[i])
            }
        }'
(cd "$sums" && $sha256 *) | awk '{ print $2, $1 }' >"$LOOKBACK_GRADE_IN/keys.$$" &&
    mv "$LOOKBACK_GRADE_IN/keys.$$" "$LOOKBACK_GRADE_IN/keys" || exit 2
build/class
