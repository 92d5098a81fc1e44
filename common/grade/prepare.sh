#!/bin/sh
# sh common/grade/prepare.sh LESSON...: makes what grading these lessons needs, once for a class, in
# build/grade/base.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
[ $# -gt 0 ] || { echo "which lessons? prepare.sh 01-softmax ..." >&2; exit 2; }

# The course as somebody sees it who has handed in one file: everything but that is ours.
make_view() {
    rm -rf "$base/view"
    mkdir -p "$base/view/lessons/$1" "$base/view/$LOOKBACK_OBJECTS" "$root/$LOOKBACK_OBJECTS/slips"
    ln -s "$root/common" "$root/solutions" "$root/tests" "$root/plots" "$base/view/"
    for entry in "$root"/lessons/*; do
        [ "$entry" = "$root/lessons/$1" ] || ln -s "$entry" "$base/view/lessons/"
    done
    for entry in "$root/lessons/$1"/*; do
        case $entry in
        *.c) ;;
        *) ln -s "$entry" "$base/view/lessons/$1/" ;;
        esac
    done
    ln -s "$root/build/tutor" "$root/build/fetched" "$base/view/build/"
    for entry in "$root/$LOOKBACK_OBJECTS"/*; do
        case $entry in
        */yours) ;;
        *) ln -s "$entry" "$base/view/$LOOKBACK_OBJECTS/" ;;
        esac
    done
}

for lesson; do
    [ -f "tests/$lesson/slips" ] || { echo "no such lesson: $lesson" >&2; exit 2; }
    base=$root/build/grade/base/$lesson
    mkdir -p "$base"
    make -s --no-print-directory "grading-$lesson" FROM=lessons >"$base/settings.part"
    mv "$base/settings.part" "$base/settings"
    . "$base/settings"
    make_view "$lesson"
done
