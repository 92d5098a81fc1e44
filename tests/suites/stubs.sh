# The stubs are what the solutions say, compile cleanly, and pass nothing; the guards guard.
. tests/suites/lib.sh
export UNSAFE=1 # the stubs are our own, and run outside of boxes

# The stub in the work tree may be a learner's work by now: then the committed one counts.
from=build/tmp/stubs/lessons
for lesson in $LOOKBACK_LESSONS; do
    file=$lesson/$(name_of "$lesson").c
    mkdir -p "$from/$lesson"
    if ! sh common/make/stubs.sh print "$lesson" >"$from/$file" 2>"$said"; then
        fail "no stub can be made of solutions/$file"
        cat "$said"
        continue
    fi
    if cmp -s "$from/$file" "lessons/$file" ||
        git show "HEAD:lessons/$file" 2>/dev/null | cmp -s - "$from/$file"; then
        ok "stub $lesson is what make stubs makes"
    else
        fail "lessons/$file is not what make stubs makes of solutions/$file"
        git diff --no-index "lessons/$file" "$from/$file" | sed -n 5,20p
    fi
    # Without bodies there is nothing of which only an optimizer could warn.
    run_make "${lesson%%-*}" FROM=$from LOOKBACK_WARNING_CFLAGS= >"$said" 2>&1
    if grep -q warns "$said"; then
        fail "stub $lesson compiles without a warning"
        cat "$said"
    else
        ok "stub $lesson compiles without a warning"
    fi
    results=build/from/$from/$lesson/results
    # "todo 0 5 softmax": none of 5 tests passes.
    if awk '$1 == "todo" && $2 == 0 { good++ } $1 != "of" { all++ } END { exit !all || good != all }' "$results"; then
        ok "stub $lesson passes no test of any exercise"
    else
        fail "stub $lesson: an exercise passes tests, has none, or does not compile"
        grep -v '^of ' "$results"
    fi

    # One list: what the solution wraps, the hints speak of, and the header declares in that order.
    wrapped=$(awk '/^[a-z].*\(/ { sub(/\(.*/, ""); sub(/.*[ *]/, ""); name = $0 }
                   /BEGIN SOLUTION/ { print name }' "solutions/$file")
    prove "$lesson: hints.md has a section for each function that the solution wraps, and no other" \
        [ "$wrapped" = "$(sed -n 's/^## //p' "lessons/$lesson/hints.md")" ]
    prove "$lesson: they stand in the order of the header" [ "$wrapped" = "$(
        sed -n 's/^[a-z][^(]*[ *]\([a-z_0-9]*\)(.*/\1/p' "lessons/$lesson/$(name_of "$lesson").h" |
            grep -Fx "$wrapped")" ]
done

# The guards, in a repository of their own.
top=$PWD
cd "$tmp" || exit 1
mkdir -p solutions/01-one lessons/01-one
solution() {
    printf '%s\n' "$@" >solutions/01-one/one.c
}
stubs() {
    sh "$top/common/make/stubs.sh" "$1" 01-one
}
begin='    // BEGIN SOLUTION: a hint'
end='    // END SOLUTION'

solution 'int one(void) {' "$begin" '    return 1;' "$end" '}'
prove "make stubs writes a stub that is not there" stubs write
prove "a body becomes one TODO with its hint" says '    TODO("a hint");' lessons/01-one/one.c
prove "nothing of the solution is left in it" sh -c '! grep -E "return 1|SOLUTION" lessons/01-one/one.c'
commit_all
echo '/* mine */' >>lessons/01-one/one.c
refuse "make stubs does not overwrite a learner's work" "changed by hand" stubs write
prove "... which is still there" says '/* mine */' lessons/01-one/one.c
git checkout -q lessons/01-one/one.c
solution 'int one(void) {' '    // BEGIN SOLUTION: a new hint' '    return 1;' "$end" '}'
prove "make stubs renews a committed stub" stubs write
rm -rf build
refuse "a stub without a commit or a copy is not overwritten" "changed by hand" sh -c \
    "sed 's/new/newer/' solutions/01-one/one.c >x && mv x solutions/01-one/one.c; \
     sh '$top/common/make/stubs.sh' write 01-one"
solution 'int one(void) {' "$begin" '    return 1;' '}'
refuse "a BEGIN without an END is an error" "without an END" stubs print
solution 'int one(void) {' '    return 1;' "$end" '}'
refuse "an END without a BEGIN is an error" "without a BEGIN" stubs print
solution 'int one(void) {' "$begin" "$begin" '    return 1;' "$end" '}'
refuse "a BEGIN inside another is an error" "inside another" stubs print
solution 'int one(void) {' "$begin" '    return 1;' "$end" '    one();' '}'
refuse "an END before the end of the function is an error" "not the last line" stubs print
solution 'int one(void) {' '    one();' "$begin" '    return 1;' "$end" '}'
refuse "a BEGIN behind the first line is an error" "not the first line" stubs print
solution 'int one(void) {' '    // BEGIN SOLUTION' '    return 1;' "$end" '}'
refuse "a BEGIN without a hint is an error" "neither BEGIN SOLUTION" stubs print
solution 'int one(void) {' '    return 1;' '}'
refuse "a solution without markers is an error" "no BEGIN" stubs print
exit $failed
