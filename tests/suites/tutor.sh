# The tutor's own tests, and what it says of broken files: all of it under sanitizers.
. tests/suites/lib.sh

for own in tutor slips; do
    "$LOOKBACK_OBJECTS/test_$own" >"$tmp/tests" 2>&1
    status=$?
    prove "$own: $(grep -c ':PASS$' "$tmp/tests") tests" sh -c "cat '$tmp/tests'; [ $status = 0 ]"
done
LOOKBACK_TUTOR=$LOOKBACK_OBJECTS/tutor-checked
export LOOKBACK_TUTOR
objects=$(run_make -s objects-01-softmax)
"$LOOKBACK_TUTOR" faults 01-softmax tests/tutor/faults $objects || failed=1

# Files that are wrong as a whole: NAME WORDS, the file on standard input.
whole_file() {
    mkdir -p "$tmp/$1/01-softmax"
    cat >"$tmp/$1/01-softmax/softmax.c"
    refuse "fault: $(echo "$1" | tr _ ' ')" "$2" env LOOKBACK_FROM="build/tmp/tutor/$1" \
        LOOKBACK_OUT="build/tmp/tutor/$1" "$LOOKBACK_TUTOR" check 01-softmax $objects
}
whole_file an_empty_file "none of the lesson's functions is in the file" </dev/null
head -c 4000 "$LOOKBACK_TUTOR" | whole_file a_binary_file "does not compile"
{ echo 'int int;'; cat solutions/01-softmax/softmax.c; } |
    whole_file a_syntax_error_in_the_first_line "softmax.c:1:5:"
{ cat solutions/01-softmax/softmax.c; printf 'int x'; } |
    whole_file a_syntax_error_in_the_last_line "softmax.c:109:"
echo '#include "no_such.h"' | whole_file a_header_that_is_not_there "no_such.h"
refuse "fault: a file that is not there" "softmax.c is not there" env LOOKBACK_FROM=build/tmp/tutor/none \
    LOOKBACK_OUT=build/tmp/tutor/none "$LOOKBACK_TUTOR" check 01-softmax $objects
exit $failed
