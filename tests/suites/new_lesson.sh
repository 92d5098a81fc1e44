# make new-lesson writes a lesson that works, and make remove-lesson takes it out again; in a copy of the tree.
. tests/suites/lib.sh

# incomplete: a line for each lesson that has a folder and lacks files. make does not see it until it has its header
# and tests.
incomplete() {
    ls -d lessons/[0-9]*-* solutions/[0-9]*-* tests/[0-9]*-* plots/[0-9]*-* | sed 's|.*/||' | sort -u | while read -r lesson; do
        name=$(name_of "$lesson") lacks=
        for file in lessons/$lesson/$name.h lessons/$lesson/$name.c lessons/$lesson/hints.md lessons/$lesson/quiz.md \
            lessons/$lesson/README.md solutions/$lesson/$name.c solutions/answers/${lesson%%-*}.md \
            tests/$lesson/test_$name.c tests/$lesson/slips plots/$lesson/${name}_data.c plots/$lesson/${name}_show.c; do
            [ -f "$file" ] || lacks="$lacks $file"
        done
        [ -z "$lacks" ] || echo "Lesson $lesson lacks$lacks"
    done
}
prove "each lesson has all of its files" sh -c "[ ! '$(incomplete)' ] || { echo '$(incomplete)'; exit 1; }"

copy=$tmp/copy
lesson=98-typical
copy_tree "$copy" ':!tests/regressions' ':!tests/grade'
# A lesson that is not committed yet is in the lists, and so has to be in the copy.
git ls-files -o --exclude-standard -- lessons solutions tests plots | while read -r file; do
    mkdir -p "$copy/${file%/*}" && cp -p "$file" "$copy/$file"
done
mkdir -p "$copy/${LOOKBACK_OBJECTS%/*}"
cp -Rp "$LOOKBACK_OBJECTS" "$copy/$LOOKBACK_OBJECTS"
cp -p build/tutor "$copy/build/"
export LOOKBACK_TUTOR=build/tutor LOOKBACK_WARNING_CFLAGS=
rm "$copy/tests/suites/new_lesson.sh" # it has both names of the exercise
cd "$copy" && commit_all || exit 1

add() { # NAME
    run_make new-lesson NAME="$1"
}
unchanged() { # for prove
    git status --short | { ! grep .; }
}
refuse "a lesson needs a name" "Which one? make new-lesson NAME=17-low-rank" add ""
refuse "... of digits and small letters" "two digits, then words of small letters" add 98-Typical
refuse "... that is no path" "two digits, then words of small letters" add 98-../x
refuse "... with a number that is free" "Number 03 is taken, by lessons/03-scaled." add 03-typical
refuse "... with file names that are free" "The name random is taken, by common/nn/random." add 98-random
refuse "a lesson that others use cannot go" "Others include scaled.h" run_make remove-lesson NAME=03-scaled
refuse "... nor one that is not there" "There is no lesson 98-typical" run_make remove-lesson NAME=$lesson
prove "nothing has been written" unchanged

prove "make new-lesson writes a lesson" add $lesson
example=$(sed -n '/^```c$/,/^```$/p' CONTRIBUTING.md | sed '1d; /^```/q' | sed '/^```/d; s/Lesson 16/Lesson 98/; s/average/typical/g')
prove "... with the test that CONTRIBUTING.md shows" [ "$example" = "$(cat tests/$lesson/test_typical.c)" ]
prove "... laid out as the other files" sh -c "! command -v clang-format-14 ||
    clang-format-14 --dry-run -Werror */$lesson/*.[ch]"
run_make 98 >"$said" 2>&1
prove "... whose exercise is to do" says ". typical_mean  <- you are here" "$said"
prove "... and passes with the reference" run_make 98 FROM=solutions UNSAFE=1
prove "make stubs renews its stub" sh -c "
    sed 's/add up all/sum up all/' solutions/$lesson/typical.c >new.c && mv new.c solutions/$lesson/typical.c &&
    ${MAKE:-make} stubs && grep -q 'sum up all' lessons/$lesson/typical.c"
awk '/^slip / { print "# from https://example.org/1" } 1' tests/$lesson/slips >slips.new
mv slips.new tests/$lesson/slips
prove "its known mistake is recognised" sh -c "${MAKE:-make} -s slips LESSON=98 >'$said'"
prove "... and its link is counted" says "2 of 2 known mistakes come with a link" "$said"
prove "its worked example can be shown" run_make show-98 FROM=solutions
prove "its picture can be drawn" run_make plot-98 FROM=solutions
mv plots/$lesson/typical_show.c typical_show.c
refuse "without the program, make show names it" "Lesson 98 has no plots/98-typical/typical_show.c" run_make show-98
mv typical_show.c plots/$lesson/
sed '/weights.gp/d' lessons/$lesson/README.md >README.new
mv README.new lessons/$lesson/README.md
refuse "without its line in the text, make plot says what is missing" "names no picture" run_make plot-98 FROM=solutions
refuse "work that is not committed is not deleted" "commit it before" run_make remove-lesson NAME=$lesson
prove "its exercise can be renamed" run_make rename-exercise OLD=typical_mean NEW=typical_of_all
prove "... everywhere" sh -c "! grep -rn typical_mean */$lesson"
prove "... and passes with that name" run_make 98 FROM=solutions UNSAFE=1
sed 's/typical_of_all(n, first)/typical_gone(n, first)/' plots/$lesson/typical_data.c >data.new
(echo 'double typical_gone(int n, const double *x);' && cat data.new) >plots/$lesson/typical_data.c
echo '- `weights.gp`: a picture.' >>lessons/$lesson/README.md
rm data.new
refuse "a call of what is not defined names the file with the call" \
    "plots/98-typical/typical_data.c calls typical_gone()" run_make plot-98 FROM=solutions
prove "... and does not blame the learner's file" says "the program does not link" "$said"
prove "make remove-lesson takes it out again" run_make remove-lesson NAME=$lesson FORCE=1
prove "... and the tree is as before" unchanged

mkdir lessons/98-empty tests/97-empty lessons/99-empty tests/99-empty
prove "an empty folder of a lesson breaks no command" run_make list
prove "... nor a check" run_make 01 FROM=solutions UNSAFE=1
refuse "... and make does not see the lesson" "make knows no '99'" run_make 99
prove "... and is named with what it lacks" sh -c "
    echo '$(incomplete)' | grep -c '^Lesson 9[789]-empty lacks lessons/9[789]-empty/empty.h ' | grep -qx 3"
exit $failed
