#!/bin/sh
# reset.sh LESSON [EXERCISE]: the stub back in place of the learner's file, or of one function.
# The file is kept beside it under a new name; nothing is ever overwritten.
set -u
. "${0%/*}/lib.sh"
lesson=$1
exercise=${2:-}
name=$(name_of "$lesson")
file=$FROM/$lesson/$name.c
if [ "$FROM" != lessons ]; then
    echo "make reset is for your own lessons/, not for $FROM." >&2
    exit 2
fi
work=build/reset
mkdir -p $work
if [ -f RELEASE ]; then
    cp "stubs/$lesson/$name.c" $work/stub.c
else
    sh common/make/stubs.sh print "$lesson" >$work/stub.c
fi || exit 1

if [ ! -e "$file" ] && [ -z "$exercise" ]; then
    cp $work/stub.c "$file" && echo "$file did not exist. Its empty exercises are back."
    exit
fi
cp $work/stub.c $work/new.c
if [ -n "$exercise" ]; then
    "$LOOKBACK_TUTOR" splice "$file" $work/stub.c "$exercise" >$work/new.c || exit 1
fi
if cmp -s $work/new.c "$file"; then
    echo "$file has nothing to reset${exercise:+ in $exercise()}."
    exit
fi

number=1
while [ -e "${file%.c}.kept-$number.c" ]; do
    number=$((number + 1))
done
kept=${file%.c}.kept-$number.c
cp "$file" "$kept" && cat $work/new.c >"$file" || exit 1
echo "${exercise:+$exercise() in }$file is empty again."
echo "Your old version is in $kept"
