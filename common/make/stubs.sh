#!/bin/sh
# stubs.sh write LESSON...: makes lessons/NN-name/name.c from solutions/NN-name/name.c.
# stubs.sh renew LESSON...: the same, also where the stub was changed by hand.
# stubs.sh print LESSON: prints the stub.
#
# The body of a function is between "// BEGIN SOLUTION: first hint" and "// END SOLUTION". The stub
# has one TODO("first hint") in its place. `write` never overwrites a stub that was changed by hand.
set -u
. "${0%/*}/lib.sh"
what=$1
shift
made=build/stubs
failed=0

generate() {
    awk -v file="$1" '
        function fail(why) {
            printf "%s:%d: %s\n", file, NR, why > "/dev/stderr"
            failed = 1
            exit 1
        }
        /^ *\/\/ BEGIN SOLUTION: ./ {
            if (inside) fail("BEGIN SOLUTION inside another one")
            if (before !~ /[{]$/ || $0 !~ /^    \/\//) fail("BEGIN SOLUTION is not the first line of a function")
            inside = 1
            hint = $0
            sub(/^ *\/\/ BEGIN SOLUTION: /, "", hint)
            if (hint ~ /["\\]/) fail("a first hint holds no quotes and no backslashes")
            todo = "    TODO(\"" hint "\");"
            if (length(todo) > 100) fail("the first hint is too long")
            print todo
            gaps++
            next
        }
        /^ *\/\/ END SOLUTION$/ {
            if (!inside) fail("END SOLUTION without a BEGIN SOLUTION")
            inside = 0
            ended = 1
            next
        }
        /SOLUTION/ { fail("neither BEGIN SOLUTION: with a first hint, nor END SOLUTION") }
        {
            if (ended && $0 != "}") fail("END SOLUTION is not the last line of a function")
            ended = 0
            before = $0
            if (!inside) print
        }
        END {
            if (failed) exit 1
            if (inside) fail("BEGIN SOLUTION without an END SOLUTION")
            if (!gaps) fail("no BEGIN SOLUTION at all")
        }' "$1"
}

# Ours to overwrite: not there, as it was committed, or as it was last made.
untouched() {
    [ ! -e "$1" ] && return 0
    cmp -s "$1" "$made/$1" && return 0
    git ls-files --error-unmatch "$1" >/dev/null 2>&1 && git diff --quiet HEAD -- "$1" 2>/dev/null
}

if [ "$what" = print ]; then
    generate "solutions/$1/$(name_of "$1").c"
    exit
fi

for lesson in "$@"; do
    name=$(name_of "$lesson")
    solution=solutions/$lesson/$name.c
    stub=lessons/$lesson/$name.c
    new=$made/$stub.new
    mkdir -p "$made/lessons/$lesson"
    if ! generate "$solution" >"$new"; then
        failed=1
    elif cmp -s "$new" "$stub"; then
        mv "$new" "$made/$stub"
    elif [ "$what" = write ] && ! untouched "$stub"; then
        echo "$stub has been changed by hand: not overwritten" >&2
        failed=1
    else
        cp "$new" "$stub" && mv "$new" "$made/$stub" && echo "$stub"
    fi
    rm -f "$new"
done
exit $failed
