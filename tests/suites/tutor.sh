# The tutor's own tests, and what it says of broken files, under sanitizers; and how it judges exercises.
. tests/suites/lib.sh
export UNSAFE=1 # what is tried here is our own
tutor=$LOOKBACK_TUTOR

for own in tutor slips; do
    ASAN_OPTIONS=intercept_strstr=0 "$LOOKBACK_OBJECTS/test_$own" >"$tmp/tests" 2>&1
    status=$?
    prove "$own: $(grep -c ':PASS$' "$tmp/tests") tests" sh -c "cat '$tmp/tests'; [ $status = 0 ]"
done
LOOKBACK_TUTOR=$LOOKBACK_OBJECTS/tutor-checked
export LOOKBACK_TUTOR
objects=$(run_make -s objects-01-softmax)
# The warnings of an optimizer, a compile more, are proven by slips of lesson 01.
export LOOKBACK_WARNING_CFLAGS=
LOOKBACK_SECONDS=0.1 "$LOOKBACK_OBJECTS/prove" faults 01-softmax tests/tutor/faults $objects || failed=1
if getconf GNU_LIBC_VERSION >"$tmp/libc" 2>&1 && [ "$(uname -m)" = x86_64 ]; then
    "$LOOKBACK_OBJECTS/prove" faults 01-softmax tests/tutor/traps $objects || failed=1
fi

# Files that are wrong as a whole: NAME WORDS, the file on standard input.
whole_file() {
    mkdir -p "$tmp/$1/01-softmax"
    cat >"$tmp/$1/01-softmax/softmax.c"
    refuse "fault: $(echo "$1" | tr _ ' ')" "$2" env FROM="build/tmp/tutor/$1" \
        LOOKBACK_OUT="build/tmp/tutor/$1" "$LOOKBACK_TUTOR" check 01-softmax $objects
}
whole_file an_empty_file "none of the lesson's functions is in the file" </dev/null
head -c 4000 "$LOOKBACK_TUTOR" | whole_file a_binary_file "does not compile"
{ echo 'int int;'; cat solutions/01-softmax/softmax.c; } |
    whole_file a_syntax_error_in_the_first_line "softmax.c:1:5:"
{ cat solutions/01-softmax/softmax.c; printf 'int x'; } |
    whole_file a_syntax_error_in_the_last_line "softmax.c:109:"
echo '#include "no_such.h"' | whole_file a_header_that_is_not_there "no_such.h"
refuse "fault: a file that is not there" "softmax.c is not there" env FROM=build/tmp/tutor/none \
    LOOKBACK_OUT=build/tmp/tutor/none "$LOOKBACK_TUTOR" check 01-softmax $objects
# Each exercise is judged on its own: softmax() called by two, softmax_backward() by one. The faults above have
# led the sanitizers through all of this.
LOOKBACK_TUTOR=$tutor
solution=solutions/01-softmax/softmax.c

# marked FOLDER MARKS [WORDS]: for prove; a mark for each exercise, and words on the screen.
marked() {
    FROM=$1 LOOKBACK_OUT=$1 LOOKBACK_SECONDS=0.1 VERBOSE=1 \
        "$LOOKBACK_TUTOR" check 01-softmax $objects >"$said" 2>&1
    cat "$said"
    marks=$(sed -n '1,/^$/d; s/^  \([^ ]\) [a-z_]*\( .*\)*$/\1/p' "$said" | head -9 | tr -d '\n')
    [ "$marks" = "$2" ] && grep -qF -- "${3:-01}" "$said"
}

# judged NAME MARKS [WORDS]: the same of the file on standard input.
judged() {
    mkdir -p "$tmp/$1/01-softmax"
    cat >"$tmp/$1/01-softmax/softmax.c"
    prove "judged: $(echo "$1" | tr _ ' '): $2" marked "build/tmp/tutor/$@"
}

# in_function NAME SCRIPT: sed, in one function only.
in_function() {
    printf '/^[a-z]*  *%s(/,/^}/{\n%s\n}\n' "$1" "$2"
}
wrong=$(in_function softmax 's|/= sum|/= 2 * sum|')
rows_wrong=$(in_function softmax_rows 's|i < rows|i < rows - 1|')

sed "$wrong" $solution | judged a_right_one_that_calls_a_wrong_one x++++++++
sed "$wrong" $solution | LOOKBACK_OBJCOPY=none judged there_is_no_objcopy 'x??++++++' 'waits for softmax()'
sed "$wrong" $solution | judged the_same_at_the_next_check x++++++++
sed "$wrong
$rows_wrong" $solution | judged two_are_wrong_on_their_own xx+++++++
sed "$rows_wrong" $solution | judged the_one_that_calls_is_wrong +x+++++++
sed "$(in_function softmax_backward 's|+= weights|-= weights|')" $solution |
    judged a_gradient_is_wrong +++++++x+
sed "$(in_function softmax 's|weights.i. /= sum|weights[i - n] /= sum|')" $solution |
    judged a_crash_in_the_first '!++++++++'
sed "$(in_function softmax 's|weights.i. /= sum|weights[i--] /= sum|')
$rows_wrong" $solution | judged a_loop_in_the_first '!x+++++++' 'softmax() was stopped after 0.1 s of work'
sed "$(in_function softmax 's|weights.i. /= sum|weights[i--] /= sum|')
$(in_function entropy 's|i++|i += 0|')" $solution | judged two_loops '!++++!+++' 'softmax() was stopped'
sed "$(in_function softmax 's|^    // BEGIN.*|TODO("yet");|')" $solution | judged the_first_is_not_written .++++++++
sed "$(in_function softmax 's|^    // BEGIN.*|TODO("yet");|')
$rows_wrong" $solution | judged the_first_is_not_written_and_the_second_wrong '.x+++++++'
sed "$(in_function softmax 's|^    // BEGIN.*|TODO("yet");|')
$(in_function softmax_rows 's|^    // BEGIN.*|TODO("yet");|')" $solution | judged two_are_not_written '..+++++++'
leaks=$(in_function entropy 's|^    // BEGIN.*|free(taken(8)); taken(8);|')
helper='s|^double entropy(|#include <stdlib.h>\nstatic void *taken(int n) { return malloc(n); }\n&|'
sed "$leaks
$helper" $solution | judged a_helper_leaks '+++++!+++' 'entropy() allocated memory and never freed it'
sed "$leaks
$helper
$rows_wrong" $solution | judged a_helper_leaks_and_another_is_wrong '+x+++!+++'

# A helper of the learner's own, static or not; a macro; a variable that two share.
sed "$(in_function softmax_rows 's|softmax(|each(|')
s|^void softmax_rows(|static void each(int n, const double s[n], double w[n]) { softmax(n, s, w); }\n&|
$wrong" $solution | judged through_a_helper_of_his_own x++++++++
sed "$(in_function softmax_rows 's|softmax(|each(|')
s|^void softmax_rows(|void each(int n, const double s[n], double w[n]) { softmax(n, s, w); w[0] += 1; }\n&|
$wrong" $solution | judged a_wrong_helper_between xx+++++++
sed "$(in_function softmax_rows 's|softmax(|EACH(|')
s|^void softmax_rows(|#define EACH(n, s, w) softmax(n, s, w)\n&|
$wrong" $solution | judged through_a_macro x++++++++
sed "$(in_function softmax 's|/= sum;|/= sum + (length = n);|')
$(in_function softmax_rows 's|i < rows|i < rows \&\& (i == 0 \|\| length == cols)|')
s|^void softmax(|static int length;\n&|" $solution |
    judged a_variable_that_two_share 'x?+++++++' 'waits for softmax()'

# Two that call each other: the first is right where it does not call the second.
sed "$(in_function softmax 's|^    double largest|    if (n == 1) { softmax_rows(1, 1, (void *)scores, (void *)weights); return; }\n&|')
$(in_function softmax_rows 's|softmax(|if (cols == 1) weights[i][0] = 2.0; else softmax(|')" $solution |
    judged two_that_call_each_other +x+++++++

# What a class is given has no solutions.
release=$tmp/release
mkdir -p "$release"
for part in lessons tests common build; do
    ln -s "$PWD/$part" "$release/$part"
done
sed "$wrong" $solution | (cd "$release" && judged a_release_without_solutions 'x??++++++' 'waits for softmax()')
exit $failed
