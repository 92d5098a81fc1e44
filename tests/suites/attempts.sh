# Wrong attempts that nobody tuned the slips to: how many are told what they did? `make test` leaves it out:
# it takes minutes. `make attempts` writes what is told into the lists; who is judged is judged by hand:
# yes, it names the cause or leads to its line; no, it is true and does not; false.
. tests/suites/lib.sh

for lesson in $LOOKBACK_LESSONS; do
    "$LOOKBACK_TUTOR" attempts "$lesson" "tests/attempts/$lesson" \
        $(run_make -s "objects-$lesson") >"$tmp/$lesson" 2>"$tmp/$lesson.counts"
    prove "$lesson: attempts are told what was judged" diff "tests/attempts/$lesson" "$tmp/$lesson"
    tail -1 "$tmp/$lesson.counts"
done
share() { # JUDGEMENT: of 1000 attempts
    cat "$tmp"/[0-9]*[a-z0-9] | awk -v word="$1" '
        /^judged / { all++; if ($2 == word) these++ } END { print int(1000 * these / all) }'
}
prove "$(share yes) of 1000 attempts are named, or led to the line" [ "$(share yes)" -ge 850 ]
prove "$(share false) of 1000 are told something false" [ "$(share false)" -le 10 ]
exit $failed
