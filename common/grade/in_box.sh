#!/bin/sh
# in_box.sh LESSON COMMAND...: make runs the tutor's COMMAND like this when FROM= names another person's files. What the
# tutor then compiles, links and runs of this lesson, it compiles, links and runs in boxes.
set -u
. common/make/lib.sh
lesson=$1
shift
are_files "$FROM/$lesson" "$FROM/$lesson/$(name_of "$lesson").c"
sh common/make/need.sh -o bwrap
if ! sh common/grade/prepare.sh "$lesson"; then
    echo "This code is neither yours nor the course's, so it runs in a box only. If you trust it, add UNSAFE=1." >&2
    exit 2
fi
LOOKBACK_BASE=$PWD/build/grade/base/$lesson
LOOKBACK_BOXES=$PWD/common/grade/box.sh
export LOOKBACK_BASE LOOKBACK_BOXES

# What that code has printed could command a terminal.
shown=$(mktemp -d) || exit 2
trap 'rm -rf "$shown"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
"$@" >"$shown/out" 2>"$shown/err"
status=$?
"$LOOKBACK_TUTOR" readable "$shown/out"
"$LOOKBACK_TUTOR" readable "$shown/err" >&2
exit $status
