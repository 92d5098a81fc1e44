# What a check finds, as data: make FORMAT=json against the tables of common/tutor/README.md, for each kind of
# finding; and nothing in common/ reads the sentences that it makes of findings.
. tests/suites/lib.sh

tutor=$LOOKBACK_TUTOR
loud=$LOOKBACK_OBJECTS/tutor-loud
export UNSAFE=1 # what is tried here is our own
# The warnings of an optimizer, a compile more, are proven elsewhere.
export LOOKBACK_WARNING_CFLAGS=
objects=$(run_make -s objects-01-softmax)
solution=solutions/01-softmax/softmax.c
mkdir -p "$tmp/ordinary" "$tmp/loud"
$LOOKBACK_CC -std=c17 -Wall tests/suites/json.c -o "$tmp/json" || fail "tests/suites/json.c compiles"

# in_function NAME SCRIPT: sed, in one function only.
in_function() {
    printf '/^[a-z]*  *%s(/,/^}/{\n%s\n}\n' "$1" "$2"
}

# check_as TUTOR FOLDER NAME: what that tutor prints of the file of that name, and its exit status.
check_as() {
    from=build/tmp/findings/$3
    FROM=$from LOOKBACK_OUT=$from LOOKBACK_SECONDS=0.2 FORMAT=json \
        "$1" check 01-softmax $objects >"$2/$3" 2>"$2/$3.err"
    echo "status $?" >>"$2/$3.err"
}

# Without what is in words, the findings are those of the tutor that shouts, and so is the exit status.
same_data() { # NAME
    for tutor_of in ordinary loud; do
        grep -Ev '^"(words|advice|message)": ' "$tmp/$tutor_of/$1" >"$tmp/$tutor_of.data"
    done
    grep -Eq '^"words": "[^a-z]*"' "$tmp/loud/$1" || { echo "no loud words"; cat "$tmp/loud/$1"; return 1; }
    diff "$tmp/ordinary.data" "$tmp/loud.data" && diff "$tmp/ordinary/$1.err" "$tmp/loud/$1.err"
}

# found NAME LINE...: the file is on standard input, and json.c's list of its findings has each LINE.
found() {
    name=$1
    shift
    mkdir -p "$tmp/$name/01-softmax"
    cat >"$tmp/$name/01-softmax/softmax.c"
    find_again "$name" "$@"
}
find_again() {
    check_as "$tutor" "$tmp/ordinary" "$1"
    rm -f "$tmp/$1/01-softmax/results" # the other one has to find out by itself
    check_as "$loud" "$tmp/loud" "$1"
    prove "$(echo "$1" | tr _ ' '): it is JSON, and nothing else" sh -c \
        "'$tmp/json' <'$tmp/ordinary/$1' >'$tmp/$1.values'"
    name=$1
    shift
    for line in "$@"; do
        prove "... with $line" says "$(printf '%b' "$line")" "$tmp/$name.values"
    done
    prove "... in other words it is the same" same_data "$name"
}

sed "$(in_function softmax 's|/= sum|/= n|')
$(in_function softmax_rows 's|i < rows|i <= rows|')
$(in_function softmax_at_temperature 's|^    // BEGIN.*|TODO("yet");|')
$(in_function log_sum_exp 's|^    // BEGIN.*|for (;;) (void)n;|')
$(in_function expected_value 's|out.c. += .*|out[c] += weights[i] * values[i][c] * (1.0 + 0.37 * i + c * 0.011); puts("here");|')
$(in_function entropy 's|^    // BEGIN.*|double *volatile kept = calloc(250000000, 8);|')
$(in_function softmax_backward 's|d_scores.i. += |d_scores[i] = |')
s|^#include .todo.h.|&\n#include <stdio.h>\n#include <stdlib.h>|" $solution |
    found many '.findings[0].kind\tstring\twrong' '.findings[0].sure\tstring\tlikely' '.findings[7].sure\tstring\tstated' \
        '.findings[0].origin\tstring\tlisted' '.findings[0].slips[0]\tstring\tdivided_by_n' \
        '.findings[1].kind\tstring\tcrash' '.findings[1].function\tstring\tsoftmax_rows' \
        '.findings[2].kind\tstring\tto-do' '.findings[3].kind\tstring\ttime' \
        '.findings[4].kind\tstring\twrong' '.findings[4].printed\tstring\there' \
        '.findings[5].kind\tstring\tmemory' '.findings[5].code\tstring\thuge-request' \
        '.findings[7].kind\tstring\twrong' \
        '.findings[8].kind\tstring\tpassed'
prove "... and of a wrong one without a known mistake there is none" sh -c "! grep -q '^.findings.4..sure' '$tmp/many.values'"

sed "$(in_function entropy 's|i < n|i <= n|')
$(in_function softmax_jacobian 's|^    // BEGIN.*|for (;;) puts("all work and no play");|')
s|^#include .todo.h.|&\n#include <stdio.h>|" $solution |
    found outside_of_an_array '.findings[6].kind\tstring\tflood' '.findings[5].access\tstring\tread' '.findings[5].size[0]\tnumber\t' '.findings[5].line\tnumber\t'
sed "$(in_function softmax_jacobian 's|jacobian.i..j. =|jacobian[i][j + n] =|')" $solution |
    found an_index '.findings[6].kind\tstring\tcrash' '.findings[6].calls[0].function\tstring\tsoftmax_jacobian'
sed "$(in_function entropy 's|double total = 0.0;|double total = 1.0; if (n == 6) for (;;) total += 1.0;|')" $solution |
    found a_loop_in_a_later_test '.findings[5].kind\tstring\twrong' '.findings[5].stopped\tstring\ttime'
export LOOKBACK_OBJCOPY=none
sed "$(in_function softmax 's|/= sum|/= sum + scores[0]|')" $solution |
    found without_objcopy '.findings[1].kind\tstring\twaits' '.findings[1].waits_for\tstring\tsoftmax'
unset LOOKBACK_OBJCOPY
sed "$(in_function entropy 's|double total|double totl|')" $solution |
    found an_undeclared_name '.passed\tboolean\tfalse' '.findings[0].exercise\tnull\tnull' \
        '.findings[0].kind\tstring\tdoes-not-compile' '.findings[0].code\tstring\tundeclared' \
        '.findings[1].kind\tstring\tnot-checked'
sed 's|^double entropy(|double entropi(|' $solution |
    found a_function_that_is_missing '.findings[0].kind\tstring\tmissing' '.findings[0].name\tstring\tentropy'
{ cat $solution; echo 'int vector_new(void) { return 0; }'; } |
    found a_name_of_the_tests '.findings[0].kind\tstring\tdoes-not-link' '.findings[0].code\tstring\tdefined-twice'
rm -rf "$tmp/none"
find_again none '.findings[0].kind\tstring\tmissing' '.findings[0].code\tstring\tno-such-file'
printf '#!/bin/sh\necho "x.c:1: error: No space left on device" >&2\nexit 1\n' >"$tmp/full"
(LOOKBACK_CC="sh $tmp/full" && export LOOKBACK_CC &&
    found a_full_disk '.findings[0].kind\tstring\toutside' '.findings[0].code\tstring\tdisk-full' <$solution && exit $failed) || failed=1

# --- make

from=build/tmp/findings/by_make
mkdir -p "$from/01-softmax"
"$LOOKBACK_OBJECTS/prove" plant 01-softmax no_max_subtraction >"$from/01-softmax/softmax.c"
for format in png json; do
    run_make --no-print-directory 01 "FROM=$from" FORMAT=$format >"$tmp/make.$format" 2>"$said" && echo 0 >"$tmp/status.$format"
    FROM=$from LOOKBACK_OUT=$from FORMAT=$format "$tutor" check 01-softmax $objects >/dev/null 2>&1
    echo "tutor $?" >>"$tmp/status.$format"
done
prove "make 01 FORMAT=json fails where make 01 does, and so does the tutor" diff "$tmp/status.png" "$tmp/status.json"
prove "... and its standard output is JSON" sh -c "'$tmp/json' <'$tmp/make.json' >'$tmp/make.values'"
prove "... with the same findings" says "$(printf '.slips[0]\tstring\tno_max_subtraction')" "$tmp/make.values"
FORMAT=json FROM=solutions LOOKBACK_OUT=build/from/solutions "$tutor" finished >"$tmp/finished"
prove "after the last lesson it is JSON, too" sh -c "'$tmp/json' <'$tmp/finished' >'$tmp/finished.values'"
prove "every field and every kind is as in common/tutor/README.md" awk -f tests/suites/findings.awk \
    common/tutor/README.md "$tmp"/*.values
refuse "pictures know no such format" "FORMAT=json: it is png" run_make plot-01 FROM=solutions FORMAT=json

# --- what else reads results: the line that make hint shows, and what it advises there

as_by_make() { # TUTOR COMMAND WORD...
    FROM=$from LOOKBACK_OUT=$from "$@" $objects
}
hints_of() { # TUTOR: in small letters
    rm -f "$from"/01-softmax/results "$from"/01-softmax/advice "$from"/01-softmax/hints
    as_by_make "$1" check 01-softmax >"$said"
    { as_by_make "$1" hint 01-softmax - && as_by_make "$1" hint 01-softmax -; } | tr '[:upper:]' '[:lower:]'
}
hints_of "$tutor" >"$tmp/hints"
hints_of "$loud" >"$tmp/loud.hints"
prove "make hint shows the line, and then what to change" [ "$(grep -c '^  *[0-9]* | ' "$tmp/hints")" = 2 ]
prove "... and the same in other words" diff "$tmp/hints" "$tmp/loud.hints"
exit $failed
