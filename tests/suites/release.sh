# What a class gets: lessons 01 to 03 from the archive, as a student, with none of the answers in it.
. tests/suites/lib.sh

lessons="01-softmax 02-dot-product 03-scaled"
repository=$PWD
RELEASE_IN=build/tmp/release
export RELEASE_IN

# The release of LESSONS=$1, with HINTS=$2, in $RELEASE_IN.
release() {
    run_make release LESSONS="$1" HINTS="$2" >"$said" 2>&1
}
hash_said() {
    sed -n 's/^release //p' "$said"
}
prove "make release makes an archive" release "1 02 3" 2
whole=$(hash_said)
cp "$tmp/lookback-release.tar.gz" "$tmp/handed-out.tar.gz"
mkdir "$tmp/student"
(cd "$tmp/student" && gzip -dc ../handed-out.tar.gz | tar xf -)
copy=$tmp/student/lookback-release

release 03 2
one=$(hash_said)
cp "$tmp/lookback-release.tar.gz" "$tmp/first.tar.gz"
release 03 2
prove "the same input makes the same archive, byte for byte" cmp "$tmp/lookback-release.tar.gz" "$tmp/first.tar.gz"
prove "... and hash" [ -n "$one" -a "$(hash_said)" = "$one" ]
prove "... and another one another hash" [ "$one" != "$whole" ]
release "14 15 16" 2
missing_headers() {
    mkdir -p "$tmp/late" && gzip -dc "$tmp/lookback-release.tar.gz" | (cd "$tmp/late" && tar xf -) || return
    cd "$tmp"/late/* || return
    sed -n 's/^#include "\(.*\)"$/\1/p' lessons/*/*.h | sort -u | while read -r header; do
        [ -f "common/nn/$header" ] || ls lessons/*/"$header" >/dev/null 2>&1 || echo "$header"
    done
}
prove "every header that a lesson's header includes is in it" [ -z "$(missing_headers)" ]
refuse "make release wants to know the lessons" "Which lessons?" run_make release
refuse "... that there are" "There is no lesson 77" run_make release LESSONS="01 77"
refuse "... and not more hints than there are" "HINTS=4" run_make release LESSONS=01 HINTS=4

# --- what could be read out of it -------------------------------------------------------------

cd "$copy" || exit 1
prove "no solutions, slips, regressions, answers and no history are in it" sh -c '
    [ -z "$(find . -path ./sealed -prune -o \( -name solutions -o -name slips -type f -o -name regressions -o -name answers -o \
        -name .git -o -name suites -o -name hints.md -o -name quiz.md \) -print)" ]'
# The lines of the references' bodies, but those that any loop or test would have.
for lesson in $lessons; do
    sed -n '/BEGIN SOLUTION/,/END SOLUTION/p' "$repository/solutions/$lesson"/*.c
done | grep -v '^ *//' | tr -d ' \t' | awk 'length >= 18' | grep -v '^for(' | sort -u >"$tmp/lines"
plain() { # every file as it is, without white space; of tests/ or of all others
    find . -type f "$@" -exec cat {} + | tr -d ' \t'
}
prove "there are lines of the references to look for" [ "$(wc -l <"$tmp/lines")" -ge 30 ]
plain ! -path './tests/*' >"$tmp/plain"
prove "no line of a reference is in it" sh -c "! grep -F -f '$tmp/lines' '$tmp/plain'"
plain -path './tests/*' >"$tmp/plain"
prove "... and no two that follow each other in its tests, which compute some things again" awk '
    NR == FNR { line[$0]; next }
    $0 in line && was { print; found = 1 }
    { was = $0 in line }
    END { exit found }' "$tmp/lines" "$tmp/plain"
for lesson in $lessons; do
    sed -n 's/[{}]//g; s/^says *//p' "$repository/tests/$lesson/slips"
    sed -n 's/^[123]\. \(.\{40\}\).*/\1/p; s/^After: //p' "$repository/lessons/$lesson/hints.md"
    sed -n 's/^\*\*.)\*\* //p' "$repository/lessons/$lesson/quiz.md"
done | grep '.\{24\}' | cut -c 1-60 >"$tmp/words"
prove "nor what is said of slips, the hints, and the answers of a quiz" sh -c "
    [ \$(wc -l <'$tmp/words') -gt 200 ] && ! grep -rhF -f '$tmp/words' ."

# --- as a student -----------------------------------------------------------------------------

mkdir build
mkdir -p build/fetched && cp -Rp "$repository/build/fetched/unity" build/fetched/
unset FROM LOOKBACK_OUT LOOKBACK_TUTOR
take() { # WHAT WORDS TARGET...: the command fails, as long as something is to do, and says so
    words=$2
    what=$1
    shift 2
    run_make "$@" >"$said" 2>&1
    prove "$what" sh -c "tr -s ' \n' ' ' <'$said' | grep -F -- '$words' || { cat '$said'; exit 1; }"
}
take "make begins with lesson 01" "softmax <- you are here"
take "make list knows three lessons" "0 of 23 exercises" list
take "make hint has two hints" "hint 1 of 2" hint
run_make hint >/dev/null
take "... and not the strongest" "hint 2 of 2" hint
prove "... nor the reference" sh -c "grep 'That was the strongest' '$said' && ! grep solution '$said'"
take "make solution-01 says that it is not there" "not in this release" solution-01
take "so does make demo" "not in this release" demo
take "make help has nothing of both" "make reset-02" help
prove "... nor of what else is not there" sh -c "! grep -E 'solution|demo|run-|try-07|maintain|bench|play|grade|README|POINTS' '$said'"
prove "... each of its lines names a command, or goes on with one" sh -c "! grep -vx 'Learn\|See\|Hand in\|More\|make .*\|  .*' '$said' | grep ."
refuse "make bench says that it is not there, in one line" "make bench is not in a release" run_make -s bench
prove "... and nothing of ours is missed" sh -c "! grep 'cannot open' '$said'"

# Each exercise's first slip that has a sentence of its own, planted into the reference.
planted=$tmp/planted
for lesson in $lessons; do
    name=$(. common/make/lib.sh && name_of $lesson)
    awk '$1 == "slip" { slip = $2 } $1 == "exercise" { of = $2 }
        $1 == "says" && !known[of]++ { sub(/^says */, ""); gsub(/[{}]/, ""); print slip; print substr($0, 1, 30) }' \
        "$repository/tests/$lesson/slips" >"$tmp/slips"
    while read -r slip && read -r sentence; do
        mkdir -p "$planted/$lesson"
        (cd "$repository" && "$LOOKBACK_OBJECTS/prove" plant $lesson "$slip") >"$planted/$lesson/$name.c"
        cp "$planted/$lesson/$name.c" lessons/$lesson/
        run_make ${lesson%%-*} >"$tmp/screen" 2>&1
        tr -s ' \n' ' ' <"$tmp/screen" | grep -qF -- "$sentence" || echo "$lesson $slip: $sentence"
    done <"$tmp/slips" >>"$tmp/unnamed"
    cp stubs/$lesson/$name.c lessons/$lesson/
done
prove "the first slip of each exercise is named" [ ! -s "$tmp/unnamed" ]
[ ! -s "$tmp/unnamed" ] || cat "$tmp/unnamed"

cp "$repository/solutions/02-dot-product/dot_product.c" lessons/02-dot-product/
take "lesson 02 can be done before 01" "Lesson 02 is done" 02
take "... and its worked example shown: a reference stands in" "0.4561 -0.4884" show-02
cp "$repository/solutions/01-softmax/softmax.c" lessons/01-softmax/
cp "$repository/solutions/03-scaled/scaled.c" lessons/03-scaled/
run_make 01 >/dev/null 2>&1
take "the references pass" "Lesson 03 is done" 03
prove "... and are not offered" sh -c "! grep 'make solution' '$said'"
take "make list has all done" "23 of 23 exercises" list
refuse "make grade is for whoever has the course" "make grade is not in a release" run_make grade DIR=..
take "make plot-01 draws" "entropy.ascii" plot-01 FORMAT=ascii
take "make show-03 shows" "d_scores times scale" show-03
echo "1 2 3" | run_make try-01 >"$said" 2>&1
prove "make try-01 computes" says "0.6652" "$said"
yes a | run_make quiz-01 >"$said" 2>&1
prove "make quiz-01 asks, and knows the answers" grep -q 'right' "$said"
take "make test-02 is plain" "0 Failures" test-02
take "make reset-01 brings the stub back" "is empty again" reset-01 EXERCISE=entropy
take "... and it is to do" "entropy <- you are here" 01
run_make reset-01 >/dev/null 2>&1
prove "... or all of it" cmp lessons/01-softmax/softmax.c stubs/01-softmax/softmax.c

# --- as handed out? ---------------------------------------------------------------------------

mkdir quick
for tool in pandoc weasyprint; do
    printf '#!/bin/sh\n' >quick/$tool
    chmod +x quick/$tool
done
report() {
    run_make report LESSON=03 PATH="$PWD/quick:$PATH" >"$said" 2>&1
}
report
prove "the report says that all is as handed out" grep -q "release *$whole as handed out\$" build/report/report-03.md
check() {
    (cd "$repository" && RELEASE_IN=$tmp/own sh common/grade/release.sh check "$copy")
}
mkdir -p "$tmp/own/lookback-release"
cp RELEASE "$tmp/own/lookback-release/"
prove "... and so says the lecturer's check" check
echo "int lenient;" >>tests/03-scaled/test_scaled.c
echo >tests/03-scaled/more.h
rm plots/style.gp
ln -s /dev/zero common/zero.h
report
prove "a changed test, a missing file and one more are named" grep -q \
    "release *$whole changed: tests/03-scaled/test_scaled.c missing: plots/style.gp added: tests/03-scaled/more.h, common/zero.h *\$" \
    build/report/report-03.md
refuse "... to the lecturer, too" "changed: tests/03-scaled/test_scaled.c" check
sed "s/.*test_scaled.c/$(sha256sum tests/03-scaled/test_scaled.c | cut -d ' ' -f 1)  tests\/03-scaled\/test_scaled.c/" RELEASE >RELEASE.new
mv RELEASE.new RELEASE
echo >'tests/03-scaled/test_\n.c'
refuse "... and a name that is no name, too" 'added: tests/03-scaled/' check
prove "... in one line" grep -q 'changed:.*test_..n.c' "$said"
refuse "... even if the copy's list says otherwise" "changed: tests/03-scaled/test_scaled.c" check

# --- a lesson with others before it that are not handed out -----------------------------------

cd "$repository" || exit 1
prove "lesson 08 can be released alone" release 08 3
cd "$tmp/lookback-release" || exit 1
mkdir build
mkdir -p build/fetched && cp -Rp "$repository/build/fetched/unity" build/fetched/
prove "... with the headers of those before it" [ -f lessons/07-seq2seq/seq2seq.h -a ! -e lessons/07-seq2seq/seq2seq.c ]
take "... which are not to be done" "0 of 8 exercises" list
take "make help has its run" "make run-08" help
cp "$repository/solutions/08-multi-head/multi_head.c" lessons/08-multi-head/
take "it can be done" "Lesson 08 is done" 08
take "... and trained, with them" "SEED=1" run-08
exit $failed
