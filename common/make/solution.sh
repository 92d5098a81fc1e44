#!/bin/sh
# solution.sh LESSON [EXERCISE]: the learner's file, or one function of it, beside the reference, word
# by word. Asks before it shows what is not passed.
set -u
. "${0%/*}/lib.sh"
[ ! -f RELEASE ] || { echo "The reference is not in this release." >&2; exit 1; }
lesson=$1
exercise=${2:-}
name=$(name_of "$lesson")
file=$FROM/$lesson/$name.c
reference=build/solution/$lesson/$name.c
what="Lesson $lesson"
yours=file
if [ -n "$exercise" ]; then
    what="$exercise()"
    yours=function
    "$LOOKBACK_TUTOR" function "solutions/$lesson/$name.c" "$exercise" >/dev/null 2>&1 || {
        echo "Lesson $lesson has no exercise $exercise." >&2
        exit 2
    }
fi

if ! "$LOOKBACK_TUTOR" passed "$lesson" "" $exercise 2>/dev/null && [ -z "${SHOW:-}" ]; then
    if [ ! -t 0 ]; then
        echo "$what is not passed. To see the reference anyway, add SHOW=1" >&2
        exit 1
    fi
    printf '%s is not passed yet. Look at the reference anyway? (y/N) ' "$what"
    read -r answer || exit 1
    case $answer in
    y | Y | yes) ;;
    *)
        echo "The reference is not shown. make hint gives smaller hints."
        exit 1
        ;;
    esac
fi

mkdir -p "${reference%/*}"
grep -vE '^ *// (BEGIN|END) SOLUTION' "solutions/$lesson/$name.c" >"$reference"
if [ -n "$exercise" ]; then
    "$LOOKBACK_TUTOR" function "$file" "$exercise" >"$reference.yours" || exit 1
    "$LOOKBACK_TUTOR" function "$reference" "$exercise" >"$reference.new" && mv "$reference.new" "$reference"
    file=$reference.yours
fi
if cmp -s "$file" "$reference"; then
    echo "Your $yours is identical to the reference."
    exit 0
fi
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    how=color
    echo "Red and struck out: only in your $yours. Green: only in the reference."
else
    how=plain
    echo "[-only in your $yours-] {+only in the reference+}"
fi
if command -v git >/dev/null; then
    git --no-pager diff --no-index --word-diff=$how "$file" "$reference" | sed 1,4d
else
    diff -u "$file" "$reference" | sed 1,2d
fi
exit 0
