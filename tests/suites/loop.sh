# The learner's way through two lessons, on a copy of this tree.
. tests/suites/lib.sh

top=$PWD
# Tracked files as they are here; the stubs are fresh ones, whoever works in lessons/.
copy=$tmp/copy
mkdir -p "$copy/build/fetched"
git ls-files -z | xargs -0 tar cf - | (cd "$copy" && tar xf -)
cp -R build/fetched/unity "$copy/build/fetched/unity"
for lesson in $LOOKBACK_LESSONS; do
    cp "build/stubs/lessons/$lesson/"*.c "$copy/lessons/$lesson/" 2>/dev/null
done
cd "$copy" || exit 1
git init -q . && git add -A && git -c user.name=x -c user.email=x@localhost commit -qm "Start" || exit 1
unset LOOKBACK_FROM LOOKBACK_OUT FROM FORMAT

# step EXIT-STATUS COMMAND...: a make command that must end so; what it says is in $said.
step() {
    want=$1
    shift
    run_make "$@" >"$said" 2>&1
    status=$?
    [ $want = 0 ] && [ $status = 0 ] && return 0
    [ $want != 0 ] && [ $status != 0 ] && return 0
    fail "make $*: status $status"
    cat "$said"
}
solve() { # LESSON: the learner writes the right thing
    cp "$top/solutions/$1/$(name_of "$1").c" "lessons/$1/"
}

step 1
prove "make on a fresh clone starts with lesson 01" says "Lesson 01: Softmax" "$said"
prove "... with nothing done" says "0 of " "$said"
prove "... says which file to open, and where" says "lessons/01-softmax/softmax.c:8  softmax()" "$said"
prove "... and what the function must do" says "weights[i] = exp(scores[i])" "$said"
prove "... without colour when nobody looks" sh -c "! grep -q '$(printf '\033')' $said"
step 0 list
prove "make list shows every lesson" says "02 Dot-product attention" "$said"
prove "make help is made from the Makefile" sh -c "make help | grep -q '^make list'"
step 1 plot-01
prove "make plot-01 before the lesson is passed names what is missing" says "First: softmax (todo)" "$said"
step 1 01
prove "make 01 checks lesson 01" says "Lesson 01" "$said"
step 1 2
prove "make 2 checks lesson 02" says "Lesson 02" "$said"
prove "... and starts with its first function" says "Write  lessons/02-dot-product/dot_product.c" "$said"

solve 01-softmax
step 0
prove "a lesson with all tests passed is done" says "Lesson 01 is done: 9 of 9 exercises" "$said"
prove "... and says what comes next" says "make 02" "$said"
step 1
prove "make goes on to the next lesson" says "Lesson 02" "$said"
step 0 plot-01 FORMAT=ascii
prove "make plot-01 draws from the learner's code" says "Drawn from lessons/01-softmax." "$said"
step 0 list
prove "make list knows what is passed" says "passed" "$said"
echo >>lessons/01-softmax/softmax.c
step 0
prove "saving a passed lesson again makes it the current one" says "Lesson 01 is done" "$said"
sed -i.bak 's/scores\[i\] - largest/scores[i]/' lessons/01-softmax/softmax.c
rm lessons/01-softmax/softmax.c.bak
step 1
prove "breaking a passed lesson un-passes it" says "x softmax " "$said"
solve 01-softmax
solve 02-dot-product
step 0
step 0
prove "the last lesson says that it is the last" says "last lesson so far" "$said"
step 0
prove "after the last lesson make says so" says "Every lesson is done" "$said"
step 0 plots FORMAT=ascii
prove "make plots draws the pictures of both" says "Drawn from lessons/02-dot-product." "$said"
step 0 test-02
prove "make test-02 is plain Unity output" says "0 Failures 0 Ignored" "$said"

rm lessons/02-dot-product/dot_product.c
step 1 02
prove "a file that is missing is one clear line" says "dot_product.c is not there" "$said"
git checkout -q lessons
refuse "a folder that is none is refused" "no-such-folder" run_make 01 FROM=no-such-folder
refuse "a lesson that is none is refused" "99" run_make 99
prove "nothing outside build/ is written" sh -c '[ -z "$(git status --porcelain)" ] || { git status --porcelain; exit 1; }'
step 0 clean
prove "make clean leaves the fetched Unity alone in build/" sh -c '[ "$(ls build)" = fetched ]'
exit $failed
