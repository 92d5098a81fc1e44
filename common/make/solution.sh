#!/bin/sh
# solution.sh LESSON: the learner's file beside the reference, word by word. Asks before it shows a
# lesson that is not passed.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
name=$(name_of "$lesson")
file=$LOOKBACK_FROM/$lesson/$name.c
reference=build/solution/$lesson/$name.c

if ! "$LOOKBACK_TUTOR" passed "$lesson" 2>/dev/null && [ -z "${SHOW:-}" ]; then
    if [ ! -t 0 ]; then
        echo "Lesson $lesson is not passed. To see the reference all the same: SHOW=1" >&2
        exit 1
    fi
    printf 'Lesson %s is not passed yet. Look at the reference all the same? (y/N) ' "$lesson"
    read -r answer || exit 1
    case $answer in
    y | Y | yes) ;;
    *)
        echo "Then not. make hint has something weaker."
        exit 1
        ;;
    esac
fi

mkdir -p "$(dirname "$reference")"
grep -vE '^ *// (BEGIN|END) SOLUTION' "solutions/$lesson/$name.c" >"$reference"
if cmp -s "$file" "$reference"; then
    echo "Your file is the reference, letter for letter."
    exit 0
fi
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    how=color
    echo "In red and struck out of your file; in green, what the reference has instead."
else
    how=plain
    echo "[-what your file has-] {+what the reference has instead+}"
fi
if command -v git >/dev/null; then
    git --no-pager diff --no-index --word-diff=$how "$file" "$reference" | sed 1,4d
else
    diff -u "$file" "$reference" | sed 1,2d
fi
exit 0
