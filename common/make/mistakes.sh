#!/bin/sh
# mistakes.sh LESSON LIST: plants every mistake of the LIST (tests/LESSON/mistakes, if none is given)
# in the reference solution, and proves that the tutor fails in that exercise and says what it must,
# in 80 columns and without a sanitizer's own words.
#
# An entry of the file, with an empty line after it (the white space around lines counts for
# nothing; several pairs of - and + are possible):
#     mistake  its_name
#     in       the_function
#     - whole lines of the solution, which occur there once
#     + what stands there instead
#     says     words that the learner must read
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
list=${2:-tests/$lesson/mistakes}
name=$(name_of "$lesson")
folder=build/mistakes/$(echo "$list" | tr / -)
tutor=${LOOKBACK_TUTOR:-$LOOKBACK_OBJECTS/tutor}
objects=$LOOKBACK_OBJECTS
failed=0
rm -rf "$folder"
mkdir -p "$folder"
links=$(${MAKE:-make} -s --no-print-directory "objects-$lesson") || exit 1
alone=
takes() { # FLAG: does the linker know it?
    echo 'int main(void) { return 0; }' |
        $LOOKBACK_CC -x c - "$1" -o "$folder/takes" >/dev/null 2>&1
}
# What is proven of a lesson's mistake is the test that meets it, not the optimizer or the linker.
# A third of the time is enough with -O0, with gold, with one function compiled and tested in
# place of all: the linker takes the others from the whole solution, which comes after it.
if [ $# = 1 ]; then
    LOOKBACK_CFLAGS=$(echo "$LOOKBACK_CFLAGS" | sed 's/ -Og / -O0 /')
    if takes -fuse-ld=gold; then
        LOOKBACK_LDLIBS="$LOOKBACK_LDLIBS -fuse-ld=gold"
    fi
    if takes -Wl,-z,muldefs; then
        LOOKBACK_LDLIBS="$LOOKBACK_LDLIBS -Wl,-z,muldefs"
        $LOOKBACK_CC $LOOKBACK_CFLAGS -c "solutions/$lesson/$name.c" -o "$folder/whole.o" || exit 1
        links="$links $folder/whole.o"
        alone=1
    fi
fi
awk -v solution="solutions/$lesson/$name.c" -v lesson="$lesson" -v folder="$folder" \
    -v file="$name.c" -v alone="$alone" -f "$(dirname "$0")/plant.awk" "$list" || exit 1

# Why the screen of a planted mistake will not do; nothing if it is right. Lines that name a file, or
# show the learner's own, are as wide as those are.
complaint() {
    awk -v status="$status" -v exercise="$exercise" -v says="$says" '
        / <- you are here$/ { here = $0 }
        !/build\/mistakes/ && !/^ *[0-9]* \|/ && length($0) > 80 { wide = $0 }
        /Sanitizer|==[0-9]+==|runtime error/ { dump = $0 }
        { gsub(/ +/, " "); screen = screen " " $0 }
        END {
            gsub(/ +/, " ", screen)
            if (status == 0) print "passes all tests"
            else if (status != 1) print "the tutor ended with status " status
            else if (here && !index(here, " " exercise " ")) print "told in another exercise: " here
            else if (!index(screen, says)) print "does not say \"" says "\""
            else if (wide) print "too wide: " wide
            else if (dump) print "shows a dump: " dump
        }' "$screen"
}

while read -r mistake exercise says; do
    planted=$folder/$mistake
    screen=$planted/screen
    [ ! "$alone" ] || export LOOKBACK_ONLY="$exercise"
    LOOKBACK_FROM=$planted LOOKBACK_OUT=$planted LOOKBACK_OBJECTS=$objects LOOKBACK_SECONDS=1 \
        NO_COLOR=1 "$tutor" check "$lesson" $links >"$screen" 2>&1
    status=$?
    why=$(complaint)
    if [ -z "$why" ]; then
        echo "ok    $lesson mistake in $exercise: $mistake"
    else
        echo "FAIL  $lesson mistake in $exercise: $mistake: $why, see $screen"
        failed=1
    fi
done <"$folder/list"
rm -rf "${objects:?}/$folder"
exit $failed
