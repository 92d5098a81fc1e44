#!/bin/sh
# sh common/grade/one.sh LESSON SOURCE.c FOLDER: judges one file; the verdict is in FOLDER, an empty
# one: see README.md. Status 0 whatever it is; otherwise what failed is ours.
set -eu
cd_to=$PWD
root=$(cd "${0%/*}/../.." && pwd)
lesson=$1
case $2 in /*) source=$2 ;; *) source=$cd_to/$2 ;; esac
case $3 in /*) folder=$3 ;; *) folder=$cd_to/$3 ;; esac
base=$root/build/grade/base/$lesson
[ -f "$base/objects" ] || { echo "lesson $lesson is not prepared: common/grade/prepare.sh" >&2; exit 2; }
. "$root/common/make/lib.sh"
name=$(name_of "$lesson")

work=$(mktemp -d "$root/build/grade/one.$$.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cp -RP "$base/view" "$work/view"
cp "$source" "$work/view/lessons/$lesson/$name.c"
cd "$work/view"
unset FROM LOOKBACK_OUT LOOKBACK_ONLY VERBOSE
LOOKBACK_BASE=$base LOOKBACK_BOXES=$root/common/grade/box.sh NO_COLOR=1 TERM=dumb \
    build/tutor grade "$lesson" "$folder/verdict.json" $(cat "$base/objects") >"$work/all"
# It also has what the student's code printed, which may be any bytes.
head -c 100000 "$work/all" >"$work/screen"
build/tutor readable "$work/screen" >"$folder/screen.txt"
