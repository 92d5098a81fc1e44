#!/bin/sh
# show.sh LESSON OBJECT...: links the lesson's worked example with the objects, and runs it.
set -u
lesson=$1
shift
program=$LOOKBACK_OBJECTS/$LOOKBACK_FROM/$lesson/show
$LOOKBACK_CC $LOOKBACK_CFLAGS "$@" -o "$program" $LOOKBACK_LDLIBS || exit 1
"$program" 2>"$program.said"
status=$?
case $status in
0) ;;
3) cat "$program.said" >&2 ;;
*)
    echo "The worked example stopped in your code: make ${lesson%%-*} says where." >&2
    [ "${VERBOSE:-0}" = 0 ] || cat "$program.said" >&2
    ;;
esac
exit $status
