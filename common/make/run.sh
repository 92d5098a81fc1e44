#!/bin/sh
# run.sh run LESSON "PASSED LESSONS" SOURCE...: compiles the lesson's milestone for speed, without
# sanitizers, and runs it. Its tables go to a folder "run" beside the plots; if it fails, those of the
# run before stay.
#     renew  the same, but only if the sources have changed since
#     try    lets the learner try what the run has left in that folder
#     bench  says how fast it is
set -u
. "$(dirname "$0")/lib.sh"
command=$1
lesson=$2
passed=$3
shift 3
folder=$LOOKBACK_OUT/$lesson/run
program=$LOOKBACK_OUT/$lesson/milestone

# made_of FILE SOURCE...: is the list in FILE these sources, and newer than them and all headers?
made_of() {
    list=$1
    shift
    [ "$(cat "$list" 2>/dev/null)" = "$*" ] &&
        [ -z "$(find "$@" common/*.h lessons/*/*.h lessons/*/*/*.h -newer "$list" 2>/dev/null)" ]
}
if [ $command = renew ] && made_of "$folder/sources" "$@"; then
    exit 0
fi
if ! made_of "$program.sources" "$@"; then
    $LOOKBACK_CC -std=c17 $LOOKBACK_FAST -D_POSIX_C_SOURCE=200809L $LOOKBACK_INCLUDES "$@" \
        -o "$program" $LOOKBACK_LDLIBS || exit 1
    echo "$*" >"$program.sources"
fi
tell_whose_code "Milestone of lesson ${lesson%%-*}, on" "$lesson" "$passed"

# Threads that wait must not take the time of those that work. Ctrl-C is for the milestone alone: it
# ends in its own way, and this script waits for it.
export OMP_WAIT_POLICY=passive
trap : INT
case $command in
try | bench)
    mkdir -p "$folder"
    "$program" $command "$folder"
    exit
    ;;
esac
rm -rf "$folder.new"
mkdir -p "$folder.new"
echo "$*" >"$folder.new/sources"
"$program" "$folder.new"
status=$?
if [ $status != 0 ]; then
    [ $status = 2 ] || # it has said why
        echo "The milestone stopped; its tables are those of the run before, if there was one." >&2
    rm -rf "$folder.new"
    exit 1
fi
# What was trained before and not this time is still good to be tried.
for model in "$folder"/*.model; do
    [ ! -f "$model" ] || [ -f "$folder.new/${model##*/}" ] || mv "$model" "$folder.new"
done
rm -rf "$folder"
mv "$folder.new" "$folder"
