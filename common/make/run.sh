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

# made_of FILE HOW SOURCE...: does FILE say "HOW SOURCE...", and is it newer than the sources and all
# headers?
made_of() {
    list=$1
    said="$2${2:+ }"
    shift 2
    [ "$(cat "$list" 2>/dev/null)" = "$said$*" ] &&
        [ -z "$(find "$@" common/*.h lessons/*/*.h lessons/*/*/*.h -newer "$list" 2>/dev/null)" ]
}
if [ $command = renew ]; then
    ! made_of "$folder/sources" "" "$@" || exit 0
    echo "The milestone of lesson ${lesson%%-*} is run first: the pictures need it." >&2
fi
if ! mkdir "$program.lock" 2>/dev/null; then
    echo "Another make runs this milestone. (If none does: rmdir $program.lock)" >&2
    exit 1
fi
trap 'rmdir "$program.lock"' EXIT
how="$LOOKBACK_CC -std=c17 $LOOKBACK_FAST -D_POSIX_C_SOURCE=200809L $LOOKBACK_INCLUDES"
if ! made_of "$program.sources" "$how" "$@"; then
    echo "$how $*" >"$program.sources.new" # as they were when the compiler began
    $how "$@" -o "$program" $LOOKBACK_LDLIBS || exit 1
    mv "$program.sources.new" "$program.sources"
fi
tell_whose_code "Milestone of lesson ${lesson%%-*}, on" "$lesson" "$passed"

# Threads that wait must not take the time of those that work. Ctrl-C is for the milestone alone: it
# ends in its own way, and this script waits for it.
export OMP_WAIT_POLICY=passive
trap : INT
case $command in
try)
    mkdir -p "$folder"
    "$program" try "$folder"
    exit
    ;;
bench)
    "$program" bench "$folder"
    exit
    ;;
esac
rm -rf "$folder.new"
mkdir -p "$folder.new"
echo "$*" >"$folder.new/sources"
"$program" "$folder.new"
status=$?
if [ $status = 3 ] && [ -d "$folder" ]; then # it was stopped before anything was finished
    echo "Nothing was trained to its end: the tables are those of the run before."
    rm -rf "$folder.new"
    exit 0
fi
if [ $status != 0 ] && [ $status != 3 ]; then
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
