# make rename-exercise renames a function in all trees; done and undone, it leaves everything as it was.
. tests/suites/lib.sh

copy_tree "$tmp/copy"
rm "$tmp/copy/tests/suites/rename.sh" # it has both names
(cd "$tmp/copy" && commit_all)
rename() { # OLD NEW
    (cd "$tmp/copy" && run_make rename-exercise OLD="$1" NEW="$2")
}
code_with() { # NAME: how many lines of C have it
    git -C "$tmp/copy" grep -whF -e "$1" -- 'lessons/*.[ch]' 'solutions/*.c' 'tests/*.c' | wc -l
}
before=$(code_with additive_score)
prove "a function gets another name" rename additive_score bahdanau_score
prove "... in headers, stubs, solutions and tests" [ "$(code_with bahdanau_score)" -ge "$before" ]
prove "... in hints, slips, regressions and plots" sh -c "
    cd '$tmp/copy' && grep -q '^## bahdanau_score' lessons/04-additive/hints.md &&
    grep -qx 'exercise bahdanau_score' tests/04-additive/slips &&
    grep -q '^attempt .* in bahdanau_score$' tests/regressions/04-additive && ! git grep -qwF additive_score -- plots"
prove "... and its old one again" rename bahdanau_score additive_score
prove "... which leaves everything as it was" sh -c "cd '$tmp/copy' && git status --short | { ! grep .; }"
refuse "a name that is in use is refused" "in use already" rename additive_score softmax
refuse "... a name that is in no header" "No header in lessons/ has the name no_such" rename no_such softmax_two
refuse "... and what is no name of C" "is no name of C" rename additive_score "two words"
prove "... and nothing has changed" sh -c "cd '$tmp/copy' && git status --short | { ! grep .; }"
exit $failed
