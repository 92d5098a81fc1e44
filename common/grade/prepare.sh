#!/bin/sh
# sh common/grade/prepare.sh LESSON...: makes what grading these lessons needs, once for a class, in
# build/grade/base: for each of them
#
#   objects                 what its tests are linked with
#   view/                   the course as a student sees it who hands in one file
#   test                    the test program, with proxies in place of the lesson's functions
#   hosted.o, support.o     what a student's object is linked with, to be called from there
set -eu
cd "$(dirname "$0")/../.."
root=$PWD here=common/grade
. common/make/lib.sh
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
[ $# -gt 0 ] || { echo "which lessons? prepare.sh 01-softmax ..." >&2; exit 2; }

# The exercises of a lesson; its header after those of the lessons before it.
exercises_of() { sed -n 's/^## //p' "lessons/$1/hints.md" | tr '\n' ' '; }
headers_to() {
    for before in $LOOKBACK_LESSONS; do
        echo "lessons/$before/$(name_of "$before").h"
        [ "$before" != "$1" ] || return 0
    done
}

objects_but() { # PATTERN
    printf '%s\n' $objects | grep -Ev "/($1)"
}

make_programs() { # LESSON
    lesson=$1 reference=$LOOKBACK_OBJECTS/solutions/$1/$(name_of "$1").o
    for side in calls hosted; do
        build/generate $side "$(exercises_of "$1")" '' $(headers_to "$1") >"$base/$side.c"
        $LOOKBACK_CC $LOOKBACK_OURS -w -c "$base/$side.c" -o "$base/$side.made"
    done
    exercises_of "$1" | tr ' ' '\n' >"$base/exercises"
    objcopy --localize-symbols="$base/exercises" "$reference" "$base/given.o"
    # A student's code is linked with the objects of ours that not only tests need.
    ld -r -o "$base/support.o" $(objects_but 'tests/|(unity|expect|laws|lesson_test|test_table|relate)\.o$')
    # A student's object sees only the exercises of the host, and main.
    ld -r -o "$base/hosted.whole" "$base/hosted.made" \
        "$LOOKBACK_OBJECTS/common/grade/host.o"
    echo main >>"$base/exercises"
    objcopy --keep-global-symbols="$base/exercises" "$base/hosted.whole" "$base/hosted.o"
    # The tests look at static variables, memory and what is seen of a call in the box. Functions
    # that a lesson's file gives are those of the reference.
    $LOOKBACK_CC $LOOKBACK_CFLAGS $(objects_but '(statics|memory|observed)\.o$') "$base/calls.made" "$base/given.o" \
        "$LOOKBACK_OBJECTS/common/grade/caller.o" -o "$base/test.part" $LOOKBACK_LDLIBS
    mv "$base/test.part" "$base/test"
}

# Everything in it is ours but the one file.
make_view() { # LESSON
    lessons=$base/view/lessons objects_there=$base/view/$LOOKBACK_OBJECTS
    mkdir -p "$lessons" "$objects_there" "$root/$LOOKBACK_OBJECTS/slips"
    ln -s "$root/common" "$root/solutions" "$root/tests" "$root/plots" "$base/view/"
    ln -s "$root/build/tutor" "$root/build/fetched" "$base/view/build/"
    ln -s "$root"/lessons/* "$lessons/"
    ln -s "$root/$LOOKBACK_OBJECTS"/* "$objects_there/"
    rm -f "$lessons/$1" "$objects_there/yours"
    mkdir "$lessons/$1"
    ln -s "$root/lessons/$1"/* "$lessons/$1/"
    rm "$lessons/$1"/*.c
}

sh $here/box.sh probe
prepare() { # LESSON
    objects=$(make -s --no-print-directory "grading-$1" FROM=lessons)
    made_of=$(echo "$root" && $sha256 $objects "$LOOKBACK_OBJECTS/solutions/$1"/*.o "$LOOKBACK_OBJECTS"/common/grade/*.o \
        solutions/"$1"/*.c build/tutor build/generate lessons/*/*.h "lessons/$1/hints.md" $here/prepare.sh)
    if [ "$made_of" != "$(cat "$base/of" 2>/dev/null)" ]; then
        rm -rf "$base"
        mkdir -p "$base"
        echo "$objects" >"$base/objects"
        make_programs "$1"
        make_view "$1"
        echo "$made_of" >"$base/of"
    fi
}

# One at a time: another may prepare for a class of its own.
mkdir -p build/grade/base
exec 9>build/grade/base/lock
flock 9 2>/dev/null || :
for lesson; do
    [ -f "tests/$lesson/slips" ] || { echo "no such lesson: $lesson" >&2; exit 2; }
    base=$root/build/grade/base/$lesson
    prepare "$lesson"
done
