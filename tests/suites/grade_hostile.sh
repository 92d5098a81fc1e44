# Whatever is handed in gets the verdict that it deserves, and nothing else happens: tests/grade/hostile
# and odd. Cases that attack one exercise each are handed in together, and so are right ones;
# grade_hostile_all takes each alone.
. tests/suites/lib.sh

# The cases hold any bytes, and original-awk keeps those of UTF-8 only.
mkdir -p "$tmp/bin"
ln -s "$(command -v mawk || command -v gawk || command -v awk)" "$tmp/bin/awk"
PATH=$tmp/bin:$PATH

alone=${LOOKBACK_EACH_ALONE:-}
corpus="tests/grade/hostile tests/grade/odd"
LOOKBACK_CANARY=what-the-environment-holds-$$
export LOOKBACK_CANARY
export LOOKBACK_WARNING_CFLAGS= # of an optimizer, a compile more: grade_calls has them

if ! sh common/grade/box.sh probe >"$said" 2>&1; then
    prove "no box can be made on this system, and one line says why" [ "$(wc -l <"$said")" = 1 ]
    exit $failed
fi
if ! command -v python3 >/dev/null; then
    left "what becomes of whatever is handed in: make grade takes python3"
    exit $failed
fi

# --- what is handed in

clang=$($LOOKBACK_CC -dM -E -x c /dev/null | grep -o __clang__)
awk -v clang="$clang" -f tests/grade/cases.awk $corpus >"$tmp/cases"
# A line for each file: its name; the lesson, the corpus, what it is made of, the verdict, its cases.
awk -F'\t' -v alone="$alone" '
    $6 == "seldom" && !alone { next }
    $6 == "alone" || alone { print $1 FS $3 FS $2 FS $4 FS $5 FS $1; next }
    {
        right = $5 == "all" ? "all" : "all but"
        k = $2 FS $3 FS right FS ($6 == "text" ? $6 : ++nth[$2, $3, right, $6])
        cases[k] = cases[k] " " $1
        fate[k] = fate[k] " " $6
        if (!(k in at)) order[at[k] = ++n] = k
    }
    END {
        for (i = 1; i <= n; i++) {
            split(order[i], part, FS)
            print "together_" i FS part[2] FS part[1] FS "solutions" FS part[3] \
                (part[3] == "all" ? "" : fate[order[i]]) FS cases[order[i]]
        }
    }' "$tmp/cases" >"$tmp/files"
lessons=$(cut -f 2 "$tmp/files" | sort -u)
sh common/grade/prepare.sh $lessons || exit 1

base_of() { # LESSON solutions|stub
    if [ "$2" = stub ]; then
        sh common/make/stubs.sh print "$1"
    else
        cat "solutions/$1/$(name_of "$1").c"
    fi
}
for lesson in $lessons; do
    mkdir -p "$tmp/base/$lesson"
    base_of "$lesson" solutions >"$tmp/base/$lesson/solutions"
    base_of "$lesson" stub >"$tmp/base/$lesson/stub"
    # What gives the reference away.
    sed 's/^ *//' "$tmp/base/$lesson/solutions" | awk 'length($0) > 24' |
        grep -vxF -f "$tmp/base/$lesson/stub" | grep -v '^//' >"$tmp/base/$lesson/secret"
done

# --- one of them

cat >"$tmp/judge.sh" <<'SH'
IFS=$tab read -r name lesson corpus base verdict cases <<LINE
$1
LINE
folder=$tmp/judged/$name
mkdir -p "$folder/out"
: >"$folder/through" >"$folder/says" >"$folder/lacks"
awk -v names="$cases" -v to="$folder" '
    BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) wanted[list[i]] = 1 }
    /^== / { name = $2; sub(/:$/, "", name); taken = name in wanted }
    taken && /^@(through|says|lacks) / { what = to "/" substr($1, 2); sub(/^[^ ]* /, ""); print >what }' "$corpus"
awk -v names="$cases" -f tests/grade/file.awk "$corpus" "$tmp/base/$lesson/$base" |
    sh -c "cat$(sed 's/^/ | /' "$folder/through" | tr '\n' ' ')" >"$folder/given.c"
case $lesson,$cases in
*work_*) export LOOKBACK_SECONDS=5 ;; # they come to their end
01-softmax*) export LOOKBACK_SECONDS=0.25 ;; # enough for its tests, and for loops
*without_end*) export LOOKBACK_SECONDS=0.5 ;;
esac
sh common/grade/one.sh "$lesson" "$folder/given.c" "$folder/out" >"$folder/errors" 2>&1
status=$?
times >"$folder/cost"
bad() {
    echo "FAIL  $name ($cases): $*"
    exit
}
[ $status = 0 ] || bad "it ended with $status: $(head -3 "$folder/errors")"
python3 tests/grade/table.py "$folder/out" verdict exercises >"$folder/table"
IFS=$tab read -r state others <"$folder/table"
# The exercises of which it is not true: "all but" or "only" those that it names.
other=$(tail -n +3 "$folder/table" | awk -F'\t' -v verdict="$verdict" '
    BEGIN {
        names = verdict
        sub(/^(all but|all|only|none|any|not built) */, "", names)
        n = split(names, list, " ")
        for (i = 1; i <= n; i++) named[list[i]] = 1
    }
    ($2 == "done") != (verdict ~ /^all/ ? !($1 in named) : $1 in named) { print $1 ": " $2 }
    { delete named[$1] }
    END { for (name in named) print name ": not there" }')
case $verdict in
"not built") [ "$state" = "not built" ] || bad "$state" ;;
all) [ "$state" != "not built" ] && [ ! "$other" ] || bad "$state," $other ;;
none | "all but "* | only*) [ ! "$other" ] || bad "$state," $other ;;
any) ;;
*) bad "no verdict: $verdict" ;;
esac
# What does not build tries nothing.
case $name,$corpus,$verdict in
together*hostile,* | together*,all) ! grep -q "does not build as a whole" "$folder/out/screen.txt" || bad "it does not build" ;;
esac
printf '%s\n' root:x: /usr/sbin/nologin what-the-environment >>"$folder/lacks"
[ "$base" != stub ] || cat "$tmp/base/$lesson/secret" >>"$folder/lacks"
cat "$folder/out"/* "$folder/errors" >"$folder/all"
while read -r words; do
    grep -qF -- "$words" "$folder/all" || bad "nothing says: $words"
done <"$folder/says"
! grep -F -f "$folder/lacks" "$folder/all" >"$folder/told" || bad "it was told: $(head -3 "$folder/told")"
[ "$(wc -c <"$folder/out/screen.txt")" -le 100000 ] || bad "too much on its screen"
echo "ok    $name: $verdict${cases:+ ($cases)}"
SH
tab=$(printf '\t')
export tmp tab
reference() {
    rm -rf "$tmp/reference"
    mkdir -p "$tmp/reference"
    sh common/grade/one.sh 01-softmax solutions/01-softmax/softmax.c "$tmp/reference" &&
        python3 tests/grade/table.py "$tmp/reference" verdict exercises tests && cat "$tmp/reference/screen.txt"
}
reference >"$tmp/before" 2>&1
prove "the reference gets everything" grep -q "^graded$(printf '\t9\t9\t')" "$tmp/before"
git status --porcelain >"$tmp/status"
tr '\n' '\0' <"$tmp/files" | xargs -0 -n 1 -P 2 sh "$tmp/judge.sh" >"$tmp/results"
cat "$tmp/results"
! grep -q '^FAIL' "$tmp/results" || failed=1

# --- the same by the class: names, links and archives, with honest ones among them

class=$tmp/class
file() { # FOLDER CASE...: hands in the file of these cases
    mkdir -p "$class/$1/01-softmax"
    awk -v names="$2" -f tests/grade/file.awk tests/grade/hostile "$tmp/base/01-softmax/solutions" >"$class/$1/01-softmax/softmax.c"
}
archive() { # NAME COMMAND...: what is to be an archive lies in $things
    name=$1
    shift
    rm -rf "$things"
    mkdir -p "$things/01-softmax"
    cp solutions/01-softmax/softmax.c "$things/01-softmax/"
    (cd "$things" && "$@")
}
things=$tmp/things
file "honest" ""
file 'a $(touch lookback-was-here) `touch lookback-was-here`; touch lookback-was-here' exit_with_success
file "-rf" a_report_of_unity
file "killer" kill_everybody
file "endless" a_loop_deaf_to_signals
file "eater" memory_without_end
archive plain tar cf "$class/plain.tar" .
archive link sh -c "ln -sf /etc/passwd 01-softmax/softmax.c; tar cf '$class/link.tar' ."
archive folder_link sh -c "mv 01-softmax x; ln -s / 01-softmax; tar cf '$class/folder_link.tar' ."
archive hard_link sh -c "ln -f '$PWD/solutions/01-softmax/softmax.c' 01-softmax/softmax.c; ln 01-softmax/softmax.c 01-softmax/b; tar cf '$class/hard_link.tar' ."
archive pipe sh -c "rm 01-softmax/softmax.c; mkfifo 01-softmax/softmax.c; tar cf '$class/pipe.tar' ."
archive outside sh -c "mkdir a; cd a; tar cPf '$class/outside.tar' ../01-softmax '$things/01-softmax'"
archive nested sh -c "tar cf inner.tar 01-softmax; rm -r 01-softmax; tar cf '$class/nested.tar' ."
archive bomb sh -c "head -c 70000000 /dev/zero >zeros; tar czf '$class/bomb.tar.gz' ."
archive names sh -c "touch -- '-rf' 'a
b' '\$(touch x)'; tar cf '$class/names.tar' ."
(cd "$class" && find . | LC_ALL=C sort && find . -type f -exec sha256sum {} +) >"$tmp/handed-in"
LOOKBACK_SECONDS=0.5 run_make grade DIR="$class" OUT="$tmp/graded" LOOKBACK_WARNING_CFLAGS= >"$tmp/screen" 2>&1
prove "a class with all of these in it is graded" grep -q "^honest,01-softmax,9,9,\([0-9]*\),\1,graded,,"  "$tmp/graded/results.csv"
sed "1d; s/,01-softmax,\\([0-9]*\\),9,[0-9]*,[0-9]*,\\([a-z ]*\\),.*/ \\1 \\2/" "$tmp/graded/results.csv" >"$tmp/found"
prove "... each as he deserves" diff "$tmp/found" - <<'TEXT'
'-rf 8 graded
a $(touch lookback-was-here) `touch lookback-was-here`; touch lookback-was-here 8 graded
bomb 0 not read
eater 8 graded
endless 8 graded
folder_link 9 graded
hard_link 9 graded
honest 9 graded
killer 8 graded
link 0 not read
names 9 graded
nested 9 graded
outside 0 not read
pipe 0 not read
plain 9 graded
TEXT
prove "... and what was handed in is as it was" sh -c "
    cd '$class' && (find . | LC_ALL=C sort && find . -type f -exec sha256sum {} +) | diff '$tmp/handed-in' -"
prove "... and no feedback tells what it should not" sh -c "! grep -rlF -e root:x: -e '$LOOKBACK_CANARY' '$tmp/graded'"
prove "... nor has what would not be seen" sh -c "! LC_ALL=C grep -rlP '[\x00-\x08\x0b-\x1f\x7f]' '$tmp/graded/feedback'"

# --- and afterwards

canary=$LOOKBACK_CANARY
unset LOOKBACK_CANARY
reference >"$tmp/after" 2>&1
prove "the next one's verdict is as it was before all these" diff "$tmp/before" "$tmp/after"
prove "nothing is left in the clone" sh -c "git status --porcelain | diff $tmp/status -"
prove "nothing is left elsewhere" [ ! -e /tmp/lookback-was-here ]
left() {
    grep -la "LOOKBACK_CANARY=$canary" /proc/[0-9]*/environ 2>/dev/null
}
prove "nobody is left running" [ "$(left | wc -l)" = 0 ]
nobodys() { # folders of graders that are no more: another suite may grade at the same time
    for folder in build/grade/one.*; do
        grader=${folder#*/one.}
        [ ! -d "$folder" ] || kill -0 "${grader%%.*}" 2>/dev/null || echo "$folder"
    done
}
prove "... nor a folder of one" [ ! "$(nobodys)" ]
exit $failed
