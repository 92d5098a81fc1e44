#!/bin/sh
# demo.sh: where all this leads to, before anything is written: a milestone on the reference, learning
# before one's eyes.
set -u
. "${0%/*}/lib.sh"
lesson=06-self-attention
program=build/demo/$lesson

[ -f "lessons/$lesson/milestone.c" ] || { echo "The demo belongs to lesson ${lesson%%-*}, which is not in this release."; exit 1; }
sources="lessons/$lesson/milestone.c"
for each in $(ls lessons | grep '^[0-9]'); do
    if [ -f RELEASE ]; then
        source=$LOOKBACK_OBJECTS/fast/solutions/$each/$(name_of "$each").o
        run_make -s "$source" || exit 1
    else
        source=solutions/$each/$(name_of "$each").c
    fi
    sources="$sources $source"
    [ "$each" != $lesson ] || break
done
for part in columns progress random shade todo trainer; do
    sources="$sources common/nn/$part.c"
done
if [ ! -x $program ] || [ -n "$(find $sources -newer $program)" ]; then
    mkdir -p build/demo
    # -O3 takes longer to compile than this to run.
    flags=$(echo "$LOOKBACK_FAST_CFLAGS" | sed 's/-O3/-O1 -ftree-vectorize/')
    $LOOKBACK_CC $flags $sources -o $program.$$ -lm && mv $program.$$ $program || exit 1
fi
exec $program demo
