#!/bin/sh
# demo.sh [LESSON COMMAND]: a milestone on the reference, for a reader who has written nothing yet. Without words it is
# the one of lesson 06, in which attention learns.
set -u
. "${0%/*}/lib.sh"
lesson=${1:-06-self-attention} command=${2:-demo}
program=build/demo/$lesson

[ -f "lessons/$lesson/milestone.c" ] || { echo "The demo belongs to lesson ${lesson%%-*}, which is not in this release."; exit 1; }
sources="lessons/$lesson/milestone.c $(ls lessons/$lesson/milestone/*.c 2>/dev/null)"
for each in $(ls lessons | grep '^[0-9]'); do
    if [ -f RELEASE ]; then
        source=$LOOKBACK_OBJECTS/fast/solutions/$each/$(name_of "$each").o
        run_make -s "$source" || exit 1
    else
        source=solutions/$each/$(name_of "$each").c
    fi
    sources="$sources $source"
    [ "$each" != "$lesson" ] || break
done
for part in columns progress random room shade todo trainer; do
    sources="$sources common/nn/$part.c"
done
# As for RUNNING in build.mk.
[ ! -f "lessons/$lesson/milestone/try.c" ] || sources="$sources common/nn/typed.c $(echo common/nn/tasks/*.c)"
if [ ! -x $program ] || [ -n "$(find $sources -newer $program)" ]; then
    mkdir -p build/demo
    # -O3 takes longer to compile than this to run.
    flags=$(echo "$LOOKBACK_FAST_CFLAGS" | sed 's/-O3/-O1 -ftree-vectorize/')
    $LOOKBACK_CC $flags $sources -o $program.$$ -lm && mv $program.$$ $program || exit 1
fi
exec $program "$command"
