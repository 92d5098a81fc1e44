# make grade: what is taken from a class's folder, how the run goes, and all that it writes. The suite grade_hostile
# proves the boxes. Here a stand-in judges, and no student's code runs, except at the end.
. tests/suites/lib.sh

if [ "$(uname)" != Linux ]; then
    ok "make grade is left to Linux, which has boxes"
    exit $failed
fi
if ! command -v python3 >/dev/null; then
    left "what make grade takes and writes: it takes python3"
    exit $failed
fi
class=$tmp/class
out=$tmp/out
LOOKBACK_JUDGE=tests/grade/standin
LOOKBACK_GRADE_IN=${tmp#"$PWD"/}/ours
STANDIN_LOG=$tmp/log
export LOOKBACK_JUDGE LOOKBACK_GRADE_IN STANDIN_LOG
grade() { # NAME=VALUE...
    env DIR="$class" OUT="$out" JOBS=2 "$@" sh common/make/grade.sh
}
state_is() { # STATUS COMMAND...
    wanted=$1
    shift
    "$@"
    status=$?
    [ $status = "$wanted" ] || { echo "status $status"; return 1; }
}

# --- what may be handed in

solution=solutions/01-softmax/softmax.c
hand_in() { # FOLDER [LINE]: under DIR
    mkdir -p "$class/$1/01-softmax"
    cp $solution "$class/$1/01-softmax/softmax.c"
    [ $# = 1 ] || echo "// $2" >>"$class/$1/01-softmax/softmax.c"
}
newline='
'
expected=$tmp/expected
: >"$expected"
expect() { # NAME AS IT STANDS IN THE TABLE, DONE, STATE
    printf '%s,01-softmax,%s,%s\n' "$1" "$2" "$3" >>"$expected"
}
for name in ada 'Cy Pym' "o'neil" 'a$(id)`id`;b' 'müller' .hidden; do
    hand_in "./$name"
    expect "$name" 9 graded
done
for name in -dash =1+1 +1 @SUM -2+3; do
    hand_in "./$name"
    case $name in +1) expect +1 9 graded ;; *) expect "'$name" 9 graded ;; esac # a number stays one
done
hand_in './ blank '; expect '\x20blank\x20' 9 graded
hand_in "./$(printf 'bad\377')"; expect 'bad\xff' 9 graded
hand_in "./two${newline}lines"; expect 'two\x0alines' 9 graded
hand_in './two\x0alines'; expect 'two\x5cx0alines' 9 graded
hand_in './back\slash'; expect 'back\slash' 9 graded
hand_in './quo"te'; expect '"quo""te"' 9 graded
hand_in './com,ma'; expect '"com,ma"' 9 graded
hand_in "$(printf 'rtl\342\200\256')"; expect 'rtl\xe2\x80\xae' 9 graded
long=$(printf '\001%.0s' $(seq 255)); hand_in "$long"
expect "$(printf '\\x01%.0s' $(seq 255))" 9 graded
hand_in bob 'SLIP entropy: A minus stands, "in front".'; expect bob 8 graded
hand_in carl 'SLIP entropy: A minus stands, "in front".'; expect carl 8 graded
hand_in formula 'SLIP entropy: =HYPERLINK("x")'; expect formula 8 graded
hand_in broken 'NOT C'; expect broken 0 'not built'
hand_in deep/a/b/c/d; expect deep 9 graded
hand_in too/deep/a/b/c/d; expect too 0 "not read"
hand_in nested/01-softmax; expect nested 9 graded
hand_in twice/a; hand_in twice/b 'another one'; expect twice 0 "not read"
hand_in same/a; hand_in same/b; expect same 9 graded
hand_in above/a/b 'NOT C'; hand_in above/c; expect above 9 graded
hand_in clone/lessons; hand_in clone/solutions; hand_in clone/stubs; expect clone 9 graded
hand_in mac/__MACOSX; expect mac 0 missing
hand_in headers; echo '#define exp(x) 1' >"$class/headers/01-softmax/softmax.h"; expect headers 9 graded
mkdir -p "$class/stub/01-softmax" "$class/empty" "$class/stray" "$class/nowhere"
sh common/make/stubs.sh print 01-softmax >"$class/stub/01-softmax/softmax.c"; expect stub 0 graded
cp $solution "$class/stray/softmax.c"; expect stray 9 graded
mkdir -p "$class/misnamed/01-softmax" "$class/word"
cp $solution "$class/misnamed/01-softmax/softmax (1).c"; expect misnamed 9 graded
echo text >"$class/word/work.docx"; expect word 0 "not read"
hand_in King_Ada; expect King_Ada 9 graded
expect empty 0 missing
expect nowhere 0 missing
ln -s ada "$class/link"; expect link 0 "not read"
for name in linked-lesson linked-file folder fifo large endless unreadable locked; do
    mkdir -p "$class/$name/01-softmax"
    expect $name 0 "not read"
done
rmdir "$class/linked-lesson/01-softmax"
ln -s ../ada/01-softmax "$class/linked-lesson/01-softmax"
ln -s ../../ada/01-softmax/softmax.c "$class/linked-file/01-softmax/softmax.c"
mkdir "$class/folder/01-softmax/softmax.c"
mkfifo "$class/fifo/01-softmax/softmax.c"
head -c 262145 /dev/zero >"$class/large/01-softmax/softmax.c"
ln -s /dev/zero "$class/endless/01-softmax/softmax.c"
cp $solution "$class/unreadable/01-softmax/softmax.c"
chmod 0 "$class/unreadable/01-softmax/softmax.c"
cp $solution "$class/locked/01-softmax/softmax.c"
chmod 0 "$class/locked/01-softmax"
(cd "$class/bob" && tar -cf ../tarred.tar 01-softmax && tar -czf ../zipped.tar.gz 01-softmax); expect tarred 8 graded; expect zipped 8 graded
moodle='Ada Lovelace_4711_assignsubmission_file'
mkdir "$class/$moodle"; cp "$class/tarred.tar" "$class/$moodle/work.tar"; expect "$moodle" 8 graded
cp "$class/tarred.tar" "$class/both.tar"; hand_in both; expect both 0 "not read"
echo 'no archive' >"$class/junk.tar"; expect junk 0 "not read"
mkfifo "$class/pipe.zip"; expect pipe 0 "not read"
ln -s tarred.tar "$class/linked.tar"; expect linked 0 "not read"
echo ignored >"$class/README"; mkfifo "$class/ignored"
count=$(wc -l <"$expected")

prove "a class of $count is graded, whatever is in its folder" state_is 0 grade LESSON=01
cp "$proof" "$tmp/screen"
LC_ALL=C sort "$expected" >"$expected.sorted"
sed -E '1d; s/,01-softmax,([0-9]+),9,[0-9]+,27,([a-z ]*),.*/,01-softmax,\1,\2/' "$out/results.csv" |
    LC_ALL=C sort >"$tmp/found"
prove "each has the verdict that he deserves" diff "$expected.sorted" "$tmp/found"
prove "the rows are sorted by submission" sh -c "
    sed -n '2,\$s/,01-softmax,.*//p' $out/results.csv | grep -v '[\\\\\"]' | sed \"s/^'//\" | LC_ALL=C sort -c"
reasons() {
    tr -s '\n ' '  ' <"$out/summary.txt" >"$tmp/one-line"
    while IFS='|' read -r name why; do
        grep -q " $name/01-softmax: $why" "$tmp/one-line" || { echo "$name: $why"; return 1; }
    done
}
prove "the summary says why what was refused" reasons <<'END'
twice|there are 2 different softmax.c: [ab]/01-softmax/softmax.c and [ab]/01-softmax/softmax.c
link|it is a link, not a regular file
linked-lesson|softmax.c: it is a link
linked-file|softmax.c: it is a link
folder|softmax.c: it is a folder
fifo|softmax.c: it is a pipe
large|softmax.c: it is too large
both|it was handed in twice, as both and as both.tar
junk|junk.tar: tar: This does not look
pipe|it is not a regular file
too|its folders are more than 4 deep
word|it contains work.docx, but no file of a lesson
locked|softmax.c: its folder cannot be read
unreadable|softmax.c: it cannot be read
END
prove "... what lies there and is no submission" sh -c "
    grep -A 1 '^Not graded' $out/summary.txt | grep -qx '  README, ignored'"
prove "... who handed in nothing" sh -c "
    sed -n '/^Handed in none/,/^\$/p' $out/summary.txt | grep -q 'empty, .*nowhere'"
prove "... how many have an exercise, and the most frequent mistake in the words that they read" sh -c "
    grep -A 3 '^  entropy  *#*-* ' $out/summary.txt | tr -s ' \n' ' ' |
        grep -q '5 students have this mistake: A minus stands, \"in front\".*6 students fail this test: it holds'"
prove "... in 80 columns" sh -c "! grep -n '^.\{81\}' $out/summary.txt"
prove "... which is on the screen, too" sh -c "tail -n +2 $out/summary.txt | grep -Fxvf $tmp/screen | grep . ; [ \$? = 1 ]"
prove "a line for each submission that was judged" grep -q "^\[[0-9 ]*/$count\] bob   01 8/9\$" "$tmp/screen"
prove "no name of a folder reached the judge" sh -c "
    [ \$(grep -vcE '^one (solutions/01-softmax|[a-z/]*ours/copies/(stub|s[0-9]+)/01-softmax)/softmax.c\$|^prepare 01-softmax\$' $tmp/log) = 0 ]"
prove "... and the same file is judged once" sh -c "[ \$(grep -c ^one $tmp/log) = 7 ]"
prove "a formula is none in a table" grep -q "'=HYPERLINK" "$out/exercises.csv"
prove "headers of their own, and the reference's text, are flagged" sh -c "
    grep -q '^headers,01-softmax,softmax,done,3,3,,reference headers' $out/exercises.csv &&
    grep -q '^stub,01-softmax,softmax,todo,0,3,,.\$' $out/exercises.csv"
renamed=$class/renamed/01-softmax
mkdir -p "$renamed"
sed 's/\bscores\b/points/g; s/\bi\b/row/g; s|^    double|    /* mine */ double|' $solution >"$renamed/softmax.c"
prove "a submission more" state_is 0 grade LESSON=01
prove "... and the others were kept" sh -c "[ \$(grep -c ^one $tmp/log) = 8 ]"

prove "feedback has the student's folder in place of ours" \
    grep -qx 'What bob/01-softmax/softmax.c comes to: 8 of 9.' "$out/feedback/bob-01-softmax.txt"
prove "nothing is left of the work on it" sh -c "! ls -d $out.part $out/.part $tmp/ours/copies/judging-* 2>/dev/null"

# --- readers of what is written

if command -v xmllint >/dev/null; then
    prove "junit.xml is what its schema says" xmllint --noout --schema tests/grade/junit.xsd "$out/junit.xml"
    counted() { # XPATH, NUMBER
        [ "$(xmllint --xpath "count($1)" "$out/junit.xml")" = "$2" ]
    }
    prove "... with a suite for each row" counted //testsuite $((count + 1))
    prove "... and each message whole" counted \
        "//testsuite[@name='bob.01-softmax']//failure[@message='wanted \"1\", got <2> ]]>']" 1
fi

roster=$tmp/roster.csv
printf '\357\273\277student_id,last_name,first_name,email\r\nada,Lovelace,"Ada ""A.""",ada@x.org\r\nbob,Bo,Bob,bob@x.org\r\ngone,Away,Gone,gone@x.org\r\n7,Pym,Cy,\r\n8,King,Ada,\r\n9,King,Ada,\r\n10,,Mu\314\210ller,\r\n' >"$roster"
printf 'exercise,points\nsoftmax,4\nentropy,6\npartial,tests\n' >"$tmp/points.csv"
worksheet=$tmp/worksheet.csv
printf '\357\273\277Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments\r\nParticipant 4711,Ada Lovelace,x@x.org,"Submitted, late",,50.00,Yes,"Monday, 1 June",-,\r\nParticipant 12,Bob Bo,bob@x.org,Submitted,,50.00,Yes,-,-,\r\nParticipant 13,Nobody,n@x.org,None,,50.00,Yes,-,"-","old ""words"""\r\nParticipant 14,word,=2+1,Submitted,,50.00,Yes,-,-,\r\n' >"$worksheet"
touch -t 202611301200 "$class/bob/01-softmax/softmax.c" "$class/ada/01-softmax/softmax.c"
prove "all formats are written" state_is 0 grade LESSON=01 NAME='Sheet 3, "a" & <b>' ROSTER="$roster" \
    POINTS="$tmp/points.csv" DUE='2026-11-29T11:00Z 10%' WORKSHEET="$worksheet" TZ=UTC \
    FORMATS='nbgrader moodle canvas gradescope prairielearn check50'
prove "grades.csv has nbgrader's columns" sh -c "head -1 $out/grades.csv | tr -d '\r' | grep -qx \
    'assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score,comment'"
row() {
    tr -d '\r' <"$1" | grep -- "$2"
}
prove "... points, part of them for tests, and what two days begun cost" sh -c "
    tr -d '\r' <$out/grades.csv | grep -qx '\"Sheet 3, \"\"a\"\" & <b>\",2026-11-29 11:00:00 UTC,2026-11-30 12:00:00 UTC,bob,Bo,Bob,bob@x.org,6,1.2,4.8,10,'"
prove "... and a row for who is on the roster and handed in nothing" \
    grep -q ',gone,Away,Gone,gone@x.org,0,0,0,10,' "$out/grades.csv"
prove "the summary calls him by his name" sh -c "tr -s '\n ' '  ' <$out/summary.txt | grep -q 'gone Gone Away'"
prove "a name says who somebody is" grep -q '^Cy_Pym,Cy Pym,Pym,Cy,7,' "$out/index.csv"
prove "... however its letters are made up" grep -q '^müller,müller,,[^,]*,10,' "$out/index.csv"
prove "... unless two have it" grep -q '^King_Ada,King_Ada,,,,' "$out/index.csv"
prove "results.csv, too" grep -q '^gone,01-softmax,0,9,0,27,missing,' "$out/results.csv"
prove "... and no grade for what is not read, but why" grep -q ',word,,,,,,,10,"01-softmax: not read: it contains work.docx' "$out/grades.csv"
prove "... nor has Moodle one" sh -c "tr -d '\r' <$out/moodle.csv | grep -q \"^Participant 14,word,'=2+1,Submitted,,50.00,Yes,-,-,\\\"01-softmax: not read. it contains\""
prove "feedback says whose it is" sh -c "head -1 $out/feedback/Cy_Pym-01-softmax.txt | grep -qx '01-softmax: Cy Pym, Cy Pym, 7'"
prove "Moodle's worksheet keeps its rows and columns, and has grades of its maximum" sh -c "
    [ \$(wc -l <$out/moodle.csv) = 5 ] && head -c 3 $out/moodle.csv | od -c | grep -q '357 273 277' &&
    grep -q '^Participant 4711,Ada Lovelace,x@x.org,\"Submitted, late\",30,50.00,Yes,\"Monday, 1 June\",-,\"01-softmax: 8 of 9' $out/moodle.csv"
prove "... and who handed in nothing as it was" \
    grep -q '^Participant 13,Nobody,n@x.org,None,,50.00,Yes,-,-,"old ""words"""' "$out/moodle.csv"
prove "canvas.csv has the roster's names, and what can be reached" sh -c "
    head -1 $out/canvas.csv | grep -q '^Student,ID,SIS User ID,SIS Login ID,Section,' &&
    sed -n 2p $out/canvas.csv | tr -d '\r' | grep -qx '    Points Possible,,,,,10' &&
    grep -q '^\"Bo, Bob\",,bob,bob@x.org,,4.8' $out/canvas.csv && [ \$(wc -l <$out/canvas.csv) = 9 ]"
prove "Python reads each table, and every row has all its columns" python3 -c "
import csv, sys
for name in sys.argv[1:]:
    rows = list(csv.reader(open(name, newline='', encoding='utf-8-sig'), strict=True))
    assert len(rows) > 2 and all(len(r) == len(rows[0]) for r in rows), name
    for cell in sum(rows, []):
        formula = len(cell) > 1 and cell.lstrip(' ')[:1] in list('=+-@\t\r\n')
        assert not formula or cell.lstrip('+-').replace('.', '').isdigit(), cell" \
        "$out/results.csv" "$out/exercises.csv" "$out/index.csv" "$out/grades.csv" "$out/canvas.csv" "$out/moodle.csv"
prove "... and each JSON, whose sums are right" python3 -c "
import csv, glob, json, sys
out = sys.argv[1]
numbers = {r['submission']: r['files'] for r in csv.DictReader(open(out + '/index.csv', newline=''))}
def load(kind, name, rest=''):
    return json.load(open('%s/%s/%s%s.json' % (out, kind, numbers[name], rest)))
for f in glob.glob(out + '/*/*.json'):
    json.load(open(f))
g = load('gradescope', 'bob')
assert g['score'] == 4.8 and g['visibility'] == 'visible' and g['stdout_visibility'] == 'hidden', g
assert abs(sum(t['score'] for t in g['tests']) - 6) < .01 and sum(t['max_score'] for t in g['tests']) == 10
assert set(g['tests'][0]) == set('score max_score name number output tags visibility'.split())
e = [t for t in g['tests'] if t['name'].endswith('entropy')][0]
assert 'A minus stands, \"in front\".' in e['output'] and ']]>' in e['output'], e
p = load('prairielearn', 'bob')
assert p['gradable'] is True and p['score'] == 0.48 and len(p['tests']) == 9, p
p = load('prairielearn', 'broken')
assert p['gradable'] is False and 'no C' in p['format_errors'][0], p
p = load('prairielearn', 'word')
assert p['gradable'] is False and p['message'] == '' and 'work.docx' in p['format_errors'][0], p
c = load('check50', 'bob', '-01-softmax')
assert c['slug'] == 'lookback/01-softmax' and len(c['results']) == 28, c
names = {r['name'] for r in c['results']}
assert len(names) == 28 and all(r['dependency'] in names for r in c['results'][1:]), names
assert {r['passed'] for r in c['results']} == {True, False} and all(r['data'] == {} for r in c['results'])
assert all((r['cause'] is None) == (r['passed'] is True) for r in c['results'])
c = load('check50', 'stub', '-01-softmax')
assert c['results'][0]['passed'] is True and all(r['passed'] is None for r in c['results'][1:]), c
c = load('check50', 'broken', '-01-softmax')
assert c['results'][0]['passed'] is False and 'no C' in c['results'][0]['cause']['rationale'], c" "$out"
mkdir "$out/mine"
echo mine >"$out/notes.txt"
prove "without FORMATS= they go again" state_is 0 grade LESSON=01
prove "... what else lies in OUT stays" sh -c "
    [ ! -e $out/grades.csv ] && [ ! -e $out/check50 ] && [ -d $out/mine ] && grep -q mine $out/notes.txt"

# --- the forms in which it comes

class=$tmp/forms
out=$tmp/forms-out
: >"$expected"
copy() { # FOLDER NAME [LINE]: another file beside, under DIR
    mkdir -p "$class/${1%/}"
    { cat $solution && [ $# = 2 ] || echo "// $3"; } >"$class/$1/$2"
}
stub() { # FOLDER
    mkdir -p "$class/$1/01-softmax"
    sh common/make/stubs.sh print 01-softmax | sed 's/$/\r/' >"$class/$1/01-softmax/softmax.c"
}
stub icloud; copy icloud/01-softmax 'softmax 2.c'; expect icloud 9 graded
hand_in backup; copy backup/01-softmax 'softmax (1).c' older; expect backup 9 graded
copy flat softmax.c; expect flat 9 graded
copy mailed softmax.c.txt; expect mailed 9 graded
copy windows 'lessons\01-softmax\softmax.c'; expect windows 9 graded
copy . kingada_4711_998_softmax.c; expect kingada_4711 9 graded
copy . pymcy_LATE_12_999_softmax-1.c; copy . pymcy_LATE_12_990_notes.pdf; expect pymcy_12 9 graded
copy . 'Bob Bo_13_assignsubmission_file_softmax.c'; expect 'Bob Bo_13_assignsubmission_file' 9 graded
hand_in repository/lessons; mkdir "$class/repository/tests"; touch "$class/repository/tests/01-softmax" "$class/repository/tests/02-dot-product"
mkdir "$class/repository/lessons/02-dot-product"
sh common/make/stubs.sh print 02-dot-product >"$class/repository/lessons/02-dot-product/dot_product.c"; expect repository 9 graded
hand_in copies; copy copies softmax.c; copy copies/01-softmax 'softmax 2.c' older; expect copies 9 graded
stub stubborn; expect stubborn 0 graded
hand_in wide; iconv -f UTF-8 -t UTF-16 "$class/flat/softmax.c" >"$class/wide/01-softmax/softmax.c"; expect wide 9 graded
hand_in narrow; printf '\377\376a' >"$class/narrow/01-softmax/softmax.c"; expect narrow 0 "not read"
hand_in two/x; hand_in two/y; mkdir "$class/two/y/02-dot-product"
cp solutions/02-dot-product/dot_product.c "$class/two/y/02-dot-product/"
(cd "$class/two" && tar cf 01.tar -C x 01-softmax && tar czf 02.TGZ -C y 02-dot-product && rm -r x y); expect two 9 graded
copy . rare.rar; expect rare 0 "not read"
mkdir "$class/rarer"; copy rarer work.7z; expect rarer 0 "not read"
mkdir -p "$class/dotty/02-dot-product"; echo x >"$class/dotty/02-dot-product/dot_product.c"; expect dotty 0 missing
hand_in nb/ps1; echo '2026-11-10 09:30:00.25 UTC' >"$class/nb/ps1/timestamp.txt"; expect nb 9 graded
hand_in west; echo '2026-11-10 01:30:00 America/Los_Angeles' >"$class/west/timestamp.txt"; expect west 9 graded
hand_in kim_attempt_2026-11-10-09-30-00; expect kim_attempt_2026-11-10-09-30-00 9 graded
hand_in sly; (cd "$class/sly" && echo 2026-01-01 00:00 >timestamp.txt && tar cf sly.tar 01-softmax timestamp.txt && rm -r 01-softmax timestamp.txt)
expect sly 9 graded
touch -t 202611091200 "$class/flat/softmax.c"
find "$class/nb" "$class/kim"* "$class/sly" -type f ! -name timestamp.txt -exec touch -t 202611201200 {} +
# A student is identified by the first column that a list names.
printf 'student_id,last_name,first_name,ID\n1,King,Ada,4711\n2,Pym,Cy,\n' >"$roster"
prove "a class in all its forms is graded" state_is 0 grade DUE='2026-11-10T10:00Z 10%' ROSTER="$roster" TZ=UTC \
    FORMATS="nbgrader canvas"
LC_ALL=C sort "$expected" >"$expected.sorted"
sed -E '1d; s/,01-softmax,([0-9]+),9,[0-9]+,27,([a-z ]*),.*/,01-softmax,\1,\2/' "$out/results.csv" |
    LC_ALL=C sort >"$tmp/found"
prove "... each as he deserves" diff "$expected.sorted" "$tmp/found"
tr -s '\n ' '  ' <"$out/summary.txt" >"$tmp/one-line"
says_all() {
    while read -r words; do
        says "$words" "$tmp/one-line" || return
    done
}
prove "... and the summary says how" says_all <<'END'
These are the lessons that at least half of the 18 students who handed in a lesson began.
Handed in other lessons, which are not graded (add them to LESSON=), 2: dotty (02), two (02)
icloud/01-softmax: read from "01-softmax/softmax 2.c", because "01-softmax/softmax.c" is the stub
backup/01-softmax: 01-softmax/softmax (1).c is in the same submission and was not read copies/01-softmax: 01-softmax/softmax 2.c is in the same submission and was not read
narrow/01-softmax: softmax.c: it begins like UTF-16, but is not valid. Save it as UTF-8
rare/01-softmax: rare.rar: this kind of archive cannot be read. Hand in a .zip or a .tar.gz
rarer/01-softmax: work.7z: this kind of archive
Handed in none of these lessons, 1: dotty
Late according to Canvas, 1: pymcy_12
sly (11 d)
west/01-softmax: its timestamp.txt could not be read
END
prove "... nobody is late by nbgrader's clock, or by the time in a name" \
    sh -c "! grep -Eq '(nb|kim[^ ]*) \([0-9]* d' $tmp/one-line && ! grep -q 'flat ([0-9]* d' $tmp/one-line"
prove "... the feedback, too" grep -qx '(read from "01-softmax/softmax 2.c", because "01-softmax/softmax.c" is the stub)' \
    "$out/feedback/icloud-01-softmax.txt"
prove "Canvas' numbers and names are those of the roster" sh -c "
    grep -q '^kingada_4711,.*,King,Ada,1,' $out/index.csv && grep -q '^pymcy_12,.*,Pym,Cy,2,' $out/index.csv"
prove "a stray lesson of one student changes nobody's marks" grep -q '^.*,backup,.*,100,100,' "$out/grades.csv"
class=$tmp/none-of-half
for n in 1 2 3; do
    mkdir -p "$class/$n/0$n-x"
done
hand_in 1
mkdir -p "$class/2/02-dot-product" "$class/3/03-scaled"
echo x >"$class/2/02-dot-product/dot_product.c"; echo x >"$class/3/03-scaled/scaled.c"
refuse "where no lesson is that of half of the class, it is asked for" 'Name the lessons to grade: LESSON="01 02"' grade
prove "... with what there is" says "03-scaled: 1 of 3" "$said"
german=$tmp/german.csv
printf 'ID,"Vollst\303\244ndiger Name",Status,Bewertung,Bestwertung,"Zuletzt ge\303\244ndert (Abgabe)","Feedback als Kommentar"\nTeilnehmer/in4711,flat,,,"50,00","Donnerstag, 12. November 2026, 00:30",\n' >"$german"
class=$tmp/forms
printf 'student_id;last_name;first_name;email\n77;Flat;A, B;flat\n' >"$tmp/semicolons.csv"
prove "Moodle's worksheet is taken in German" state_is 0 grade LESSON=01 DUE='2026-11-10T10:00Z 10%' TZ=UTC \
    FORMATS="moodle" WORKSHEET="$german" ROSTER="$tmp/semicolons.csv"
prove "... and a roster with semicolons, as a German spreadsheet saves it" grep -q '^flat,flat,Flat,"A, B",77,' "$out/index.csv"
prove "... and filled in, by its own times" sh -c "
    grep -q '^Teilnehmer/in4711,flat,,40,\"50,00\",\"Donnerstag, 12. November 2026, 00:30\",\"\?01-softmax: 9 of 9' $out/moodle.csv &&
    tr -s '\n ' '  ' <$out/summary.txt | grep -q 'flat (2 d by the worksheet)'"

# --- how the run goes
class=$tmp/class
out=$tmp/out

judged() {
    grep -c '^one' "$tmp/log"
}
before=$(judged)
cp "$out/results.csv" "$tmp/results"
prove "a second run" state_is 0 grade LESSON=01
prove "... judges nothing again" [ "$(judged)" = "$before" ]
prove "... writes the same" cmp "$tmp/results" "$out/results.csv"
rm -r "$tmp/ours/verdicts"
prove "one at a time" state_is 0 grade LESSON=01 JOBS=1
without_seconds() {
    awk -F, -v OFS=, '{ $(NF - 5) = ""; print }' "$1"
}
without_seconds "$tmp/results" >"$tmp/one"
without_seconds "$out/results.csv" >"$tmp/two"
prove "... comes to the same as two" cmp "$tmp/one" "$tmp/two"

class=$tmp/slow
for name in a b c d e f; do
    hand_in $name "$name"
done
out=$tmp/slow-out
printf '?1/6] \n^C\n' | NO_COLOR=1 DIR=$class OUT=$out JOBS=1 STANDIN_SLOW=0.3 \
    "$PWD/$LOOKBACK_OBJECTS/pty" sh common/make/grade.sh >"$said" 2>&1
prove "Ctrl-C leaves whole rows, and says how to go on" sh -c "
    [ \$(wc -l <$out/results.csv) = 7 ] && grep -q ',graded,' $out/results.csv &&
    grep -q ',stopped,' $out/results.csv && grep -q 'continues from there' $said && [ ! -e $out.part ] && [ ! -e $out/.part ]"
prove "... and nothing running" sh -c "
    ! pgrep -f 'grade/[o]urs/copies' | xargs -I '{}' readlink '/proc/{}/cwd' | grep -xF '$PWD'"
before=$(judged)
kept=$(grep -c ',graded,' "$out/results.csv")
prove "... the next run does" state_is 0 grade
prove "... with what is missing" [ "$(judged)" -le $((before + 6 - kept)) ]
prove "at a terminal there is a bar, with the rest of the time" sh -c "
    rm -r $tmp/ours/verdicts
    DIR=$class OUT=$out TERM=xterm env -u NO_COLOR $PWD/$LOOKBACK_OBJECTS/pty sh common/make/grade.sh </dev/null |
        tr '\r' '\n' | grep -q '^\[#*-*\]  3 of 6, [0-9]* s left'"

hand_in g 'NO LUCK'
prove "what is lost for reasons of ours is status 1" state_is 1 grade
refuse "... and a line says so" "status 1: some submissions could not be graded" grade
prove "... a row, and a line" sh -c "
    grep -q '^g,01-softmax,0,9,0,27,error,it could not be judged: something of ours' $out/results.csv &&
    grep -q 'not the students' $out/summary.txt"
rm -r "$class/g"
for name in A B C D; do
    hand_in $name "NO BOX $name"
done
before=$(judged)
prove "two boxes in a row that do not start" state_is 1 grade JOBS=1
prove "... end it" sh -c "[ \$(grep -c ^one $tmp/log) = $((before + 2)) ] && [ \$(grep -c ',stopped,' $out/results.csv) = 2 ]"
rm -r "$class"/[ABCD]

if command -v flock >/dev/null; then
    refuse "a second make grade at once is refused" "Another make grade is running here" \
        flock "$tmp/ours/lock" env DIR="$class" OUT="$out" sh common/make/grade.sh
fi
prove "a reference that does not get everything: nothing is graded" sh -c "rm -r $tmp/ours/verdicts"
refuse "... and it says so" "the reference of 01-softmax gets 8 of 9 exercises" grade STANDIN_BAD=reference
rm -rf "$tmp/ours/verdicts"
refuse "a stub that gets something, too" "the stub of 01-softmax gets 1 of 9 exercises" grade STANDIN_BAD=stub
rm -rf "$tmp/ours/verdicts"

refuse "where there can be no boxes, there is no grading" "no boxes here" grade STANDIN_NO_BOX=1
prove "UNSAFE=1 says so on every page" sh -c "
    UNSAFE=1 DIR=$class OUT=$out sh common/make/grade.sh >$said 2>&1 &&
    head -1 $said | grep -q UNBOXED && tail -1 $said | grep -q UNBOXED &&
    grep -q 'unboxed' $out/results.csv && grep -q 'unboxed' $out/exercises.csv &&
    [ \$(grep -c UNBOXED $out/feedback/a-01-softmax.txt) = 2 ] && grep -q UNBOXED $out/summary.txt"

prove "DIR may be one submission, which is graded alone" state_is 0 env DIR="$class/a" OUT="$tmp/one-out" sh common/make/grade.sh
prove "... under its name" [ "$(sed 1d "$tmp/one-out/results.csv" | cut -d , -f 1 | sort -u)" = a ]
mkdir -p "$tmp/stray"
cp -R "$class/a" "$class/a/01-softmax" "$tmp/stray"
prove "a folder of a lesson among those of students does not make them one" state_is 0 env DIR="$tmp/stray" OUT="$tmp/one-out" sh common/make/grade.sh
prove "... each of them is graded" grep -q '^a,01-softmax,9,9,' "$tmp/one-out/results.csv"

# --- what comes back of a release

class=$tmp/copies
out=$tmp/copies-out
export RELEASE_IN=$tmp/handed
release=$RELEASE_IN/lookback-release
mkdir -p "$release/lessons/01-softmax" "$release/stubs/01-softmax" "$release/common" "$release/tests"
cp lessons/01-softmax/softmax.h "$release/lessons/01-softmax/"
sh common/make/stubs.sh print 01-softmax >"$release/stubs/01-softmax/softmax.c"
for n in 1 2 3 4 5 6 7; do
    echo "// $n" >"$release/common/$n.h"
done
(cd "$release" && sha256sum lessons/*/*.h stubs/*/*.c common/*.h >RELEASE)
for name in same/copy other/copy link many; do
    mkdir -p "$class/$name"
    cp -R "$release/." "$class/$name"
    hand_in "$name/lessons"
done
echo >>"$class/other/copy/common/3.h"
ln -sf /etc/passwd "$class/link/lessons/01-softmax/softmax.h"
rm "$class/link/common/1.h"
for n in 1 2 3 4 5 6; do
    echo >>"$class/many/common/$n.h"
done
hand_in nothing-else
hand_in header; echo >"$class/header/01-softmax/softmax.h"
prove "whole copies of a release are graded" state_is 0 grade
release_of() {
    sed -n "s/^$1,$1,,,,//p" "$out/index.csv" | tr -d '\r'
}
told() { # NAME WORDS
    [ "$(release_of "$1")" = "$2" ] || { cat "$out/index.csv"; return 1; }
}
prove "... as what stands in lessons/, not by their stubs" [ "$(grep -c ,9,9, "$out/results.csv")" = 6 ]
prove "a copy is as it was handed out" told same "as handed out"
prove "... or not: a file has changed" told other "changed: common/3.h"
prove "... a link has come in its place, and what is missing is no change" told link "changed: lessons/01-softmax/softmax.h"
prove "... many have" told many '"changed: common/1.h, common/2.h, common/3.h, common/4.h, common/5.h and 1 more"'
prove "one lesson has its header" told header "changed: lessons/01-softmax/softmax.h"
prove "who hands in nothing of it is told nothing" told nothing-else ""
prove "the summary names who has changed something" sh -c "
    grep -A 9 'Changed other files of the release' $out/summary.txt | grep -q '^  other: changed: common/3.h' &&
    ! grep -q 'same: ' $out/summary.txt"
export RELEASE_IN=$tmp/no-release
prove "where no release was made there is nothing to compare" state_is 0 grade
prove "... and nothing is said" told other ""

# --- what is wrong with the question

mkdir -p "$tmp/no/one/lesson" "$tmp/none"
says_2() { # WHAT WORDS NAME=VALUE...
    what=$1
    words=$2
    shift 2
    grade "$@" >"$said" 2>&1
    status=$?
    prove "$what" says "$words" "$said"
    prove "... and a word for its status, which make does not keep" says "status 2: nothing was graded" "$said"
    prove "... with status 2" [ $status = 2 ]
}
says_2 "no DIR" "make grade DIR=class" DIR=
says_2 "a DIR that is not there" "No such file" DIR=$tmp/nowhere
says_2 "a DIR that is a file" "is not a folder" DIR=Makefile
says_2 "an empty one" "contains no submissions" DIR=$tmp/none
says_2 "one without a lesson" "contains no lessons" DIR=$tmp/no
says_2 "OUT in DIR" "lies in DIR" OUT=$class/out
says_2 "DIR in OUT" "lies in OUT" OUT=$tmp
says_2 "OUT among ours" "is a folder of make grade itself" OUT=$tmp/ours/copies
says_2 "DIR among ours" "is a folder of make grade itself" DIR=$tmp/ours/verdicts
mkdir "$tmp/taken.part"
says_2 "a folder in the way of what is written" "taken.part is in the way" OUT=$tmp/taken
says_2 "OUT that is a file" "is not a folder" OUT=Makefile
says_2 "OUT where nothing can be written" "cannot make the folder" OUT=/proc/none/out
says_2 "a format that there is not" "FORMATS=pdf" FORMATS=pdf
says_2 "Moodle without its worksheet" "WORKSHEET=" FORMATS=moodle
says_2 "Canvas without names" "ROSTER=" FORMATS=canvas
says_2 "a deadline that is none" "DUE=" DUE=tomorrow
says_2 "a roster that is none" "student_id" ROSTER=Makefile
says_2 "points that are none" "a line must have the form" POINTS=Makefile
says_2 "JOBS that is no number" "JOBS=many" JOBS=many
says_2 "... nor one in other digits" "JOBS=²" JOBS=²
mkdir -p "$tmp/broken" && echo 01-softmax >"$tmp/broken/keys" # without its hash
crash() {
    LOOKBACK_GRADE_IN=$tmp/broken python3 -I -B -X utf8 common/grade/class
}
prove "a mistake of ours is no reason why some are not graded" state_is 2 crash
refuse "a LESSON that is none" "There is no lesson 77" run_make grade DIR="$class" LESSON=77

# --- the whole, with boxes, where there can be some

unset LOOKBACK_JUDGE
if command -v bwrap >/dev/null && sh common/grade/box.sh probe >"$said" 2>&1; then
    # A lesson that no other suite prepares meanwhile.
    class=$tmp/real
    out=$tmp/real-out
    for name in right wrong worse; do
        mkdir -p "$class/$name/04-additive"
        cp solutions/04-additive/additive.c "$class/$name/04-additive"
    done
    sed -i.was '/^double additive_score(/,/^}/ s/return score;/return -score;/' "$class/wrong/04-additive/additive.c"
    sed -i.was 's/^double additive_score(/dubble additive_score(/' "$class/worse/04-additive/additive.c"
    sed -i.was 's/\bscore\b/points/g; s|^    double|    /* mine */ double|' "$class/right/04-additive/additive.c"
    prove "make grade, through the boxes" run_make grade DIR="$class" OUT="$out"
    prove "... says what the learner reads" sh -c "
        grep -q '^right,04-additive,\([0-9]*\),\1,' $out/results.csv &&
        grep -q '^wrong,04-additive,[0-9]*,[0-9]*,[0-9]*,[0-9]*,graded,additive_score' $out/results.csv &&
        grep -q '^wrong/04-additive/additive.c:[0-9]*: your additive_score()' $out/feedback/wrong-04-additive.txt"
    prove "... and whose functions are the reference's, though names and comments are others" \
        grep -q '^right,04-additive,additive_score,done,.*,reference' "$out/exercises.csv"
    prove "... and not those that were changed" \
        grep -q '^wrong,04-additive,additive_score,wrong,.*,.$' "$out/exercises.csv"
    prove "... and what does not compile of a file costs itself" \
        grep -Eq '^worse,04-additive,([0-9]*),([0-9]*),.*,in part,builds only in part: additive.c:[0-9]+:1: ' "$out/results.csv"
else
    echo "      no boxes here: $(head -1 "$said")"
fi
exit $failed
