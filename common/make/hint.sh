#!/bin/sh
# hint.sh EXERCISE: a hint for an exercise, in whatever lesson it is.
. "${0%/*}/lib.sh"
lesson=$("$LOOKBACK_TUTOR" find "$1") || exit 2
run_make "hint-$lesson" EXERCISE="$1"
