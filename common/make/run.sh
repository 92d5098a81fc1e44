#!/bin/sh
# run.sh [-c] LESSON "PASSED LESSONS" SOURCE...: compiles the lesson's milestone with optimization and
# without sanitizers, and runs it. Its tables go to a folder "run" beside the plots; if it is stopped,
# those of the run before stay. With -c only if the sources have changed since.
set -u
. "$(dirname "$0")/lib.sh"
only_if_changed=
if [ "$1" = -c ]; then
    only_if_changed=yes
    shift
fi
lesson=$1
passed=$2
shift 2
folder=$LOOKBACK_OUT/$lesson/run
program=$LOOKBACK_OUT/$lesson/milestone

# made_of FILE SOURCE...: is the list in FILE these sources, and newer than them and all headers?
made_of() {
    list=$1
    shift
    [ "$(cat "$list" 2>/dev/null)" = "$*" ] &&
        [ -z "$(find "$@" common/*.h lessons/*/*.h -newer "$list")" ]
}
if [ "$only_if_changed" ] && made_of "$folder/sources" "$@"; then
    exit 0
fi
rm -rf "$folder.new"
mkdir -p "$folder.new"
echo "$*" >"$folder.new/sources"
if ! made_of "$program.sources" "$@"; then
    $LOOKBACK_CC -std=c17 -O2 -D_POSIX_C_SOURCE=200809L $LOOKBACK_INCLUDES "$@" \
        -o "$program" $LOOKBACK_LDLIBS || exit 1
    echo "$*" >"$program.sources"
fi
tell_whose_code "Milestone of lesson ${lesson%%-*}, on" "$lesson" "$passed"
"$program" "$folder.new"
status=$?
if [ $status != 0 ]; then
    [ $status = 2 ] || # it has said why
        echo "The milestone stopped; its tables are those of the run before, if there was one." >&2
    rm -rf "$folder.new"
    exit 1
fi
rm -rf "$folder"
mv "$folder.new" "$folder"
