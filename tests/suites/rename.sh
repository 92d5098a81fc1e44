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
before=$(code_with cosine_similarity)
prove "a function gets another name" rename cosine_similarity luong_similarity
prove "... in headers, stubs, solutions and tests" [ "$(code_with luong_similarity)" -ge "$before" ]
prove "... in hints, slips, regressions and plots" sh -c "
    cd '$tmp/copy' && grep -q '^## luong_similarity' lessons/02-dot-product/hints.md &&
    grep -qx 'exercise luong_similarity' tests/02-dot-product/slips &&
    grep -q '^attempt .* in luong_similarity$' tests/regressions/02-dot-product && ! git grep -qwF cosine_similarity -- plots"
prove "... and its old one again" rename luong_similarity cosine_similarity
prove "... which leaves everything as it was" sh -c "cd '$tmp/copy' && git status --short | { ! grep .; }"
refuse "a name that is in use is refused" "in use already" rename cosine_similarity softmax
refuse "... a name that is in no header" "No header in lessons/ has the name no_such" rename no_such softmax_two
refuse "... and what is no name of C" "is no name of C" rename cosine_similarity "two words"
prove "... and nothing has changed" sh -c "cd '$tmp/copy' && git status --short | { ! grep .; }"
exit $failed
