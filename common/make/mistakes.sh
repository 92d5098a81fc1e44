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
leaks_here=$LOOKBACK_LEAKS
failed=0
rm -rf "$folder"
mkdir -p "$folder"
links=$(${MAKE:-make} -s --no-print-directory "objects-$lesson") || exit 1
alone=
takes() { # FLAG: does the linker know it?
    echo 'int main(void) { return 0; }' |
        $LOOKBACK_CC -x c - "$1" -o "$folder/takes" >/dev/null 2>&1
}
# gold takes half the time, but where it has an error to report it may stumble over clang's symbols.
if takes -fuse-ld=gold && { [ $# = 1 ] || ! $LOOKBACK_CC --version | grep -q clang; }; then
    LOOKBACK_LDLIBS="$LOOKBACK_LDLIBS -fuse-ld=gold"
fi
# What is proven of a lesson's mistake is the test that meets it, not the optimizer or the linker.
# Half the time is enough with -O0, and with one function compiled and tested in place of all: the
# linker takes the others from the whole solution, which comes after it.
if [ $# = 1 ]; then
    LOOKBACK_CFLAGS=$(echo "$LOOKBACK_CFLAGS" | sed 's/ -Og / -O0 /')
    if takes -Wl,-z,muldefs; then
        LOOKBACK_LDLIBS="$LOOKBACK_LDLIBS -Wl,-z,muldefs"
        $LOOKBACK_CC $LOOKBACK_CFLAGS -c "solutions/$lesson/$name.c" -o "$folder/whole.o" || exit 1
        links="$links $folder/whole.o"
        alone=1
    fi
fi
awk -v solution="solutions/$lesson/$name.c" -v lesson="$lesson" -v folder="$folder" \
    -v file="$name.c" -v alone="$alone" -f "$(dirname "$0")/plant.awk" "$list" || exit 1

while read -r mistake exercise says; do
    planted=$folder/$mistake
    # Looking for leaks takes as long as most tests.
    case $says in *free*) leaks=$leaks_here ;; *) leaks=0 ;; esac
    [ ! "$alone" ] || export LOOKBACK_ONLY="$exercise" LOOKBACK_LEAKS="$leaks"
    LOOKBACK_FROM=$planted LOOKBACK_OUT=$planted LOOKBACK_OBJECTS=$objects LOOKBACK_SECONDS=1 \
        NO_COLOR=1 "$tutor" check "$lesson" $links >"$planted/screen" 2>&1
    echo "$?" "$mistake" "$exercise" "$says"
done <"$folder/list" >"$folder/ends"

# Reads each screen. Lines that name a file, or show the learner's own, are as wide as those are.
awk -v folder="$folder" -v lesson="$lesson" '
    function complaint(status, exercise, says, file,    line, here, wide, dump, screen) {
        while ((getline line < file) > 0) {
            if (line ~ / <- you are here$/) here = line
            if (line !~ /build\/mistakes/ && line !~ /^ *[0-9]* \|/ && length(line) > 80) wide = line
            if (line ~ /Sanitizer|==[0-9]+==|runtime error/) dump = line
            screen = screen " " line
        }
        close(file)
        gsub(/ +/, " ", screen)
        if (status == 0) return "passes all tests"
        if (status != 1) return "the tutor ended with status " status
        if (here && !index(here, " " exercise " ")) return "told in another exercise: " here
        if (!index(screen, says)) return "does not say \"" says "\""
        if (wide) return "too wide: " wide
        if (dump) return "shows a dump: " dump
        return ""
    }
    {
        says = $0
        sub(/^[^ ]* [^ ]* [^ ]* /, "", says)
        file = folder "/" $2 "/screen"
        why = complaint($1, $3, says, file)
        printf "%s %s mistake in %s: %s", why ? "FAIL " : "ok   ", lesson, $3, $2
        print why ? ": " why ", see " file : ""
        failed = failed || why
    }
    END { exit failed }' "$folder/ends" || failed=1
rm -rf "${objects:?}/$folder"
exit $failed
