# awk -v clang=yes -f cases.awk CORPUS...: a line for each case, with tabs between: its name, its corpus, its lesson,
# reference or stub, its verdict, and how it goes together with others: the one exercise that it attacks,
# "text" if only the text is odd, "alone", or "seldom".
function say() {
    if (name == "") return
    fate = verdict
    sub(/^all but /, "", fate)
    if (verdict == "all") fate = into
    else if (fate == verdict) fate = "alone"
    if (fate ~ / / || fate != into || count != 1) fate = "alone"
    if (through && verdict == "all") fate = "text"
    else if (through) fate = "alone"
    if (alone) fate = "alone"
    if (seldom) fate = "seldom"
    if (clang && gcc) return
    print name "\t" FILE "\t" lesson "\t" base "\t" verdict "\t" fate
    name = ""
}
/^== / || /^# --- / { say() }
/^== / {
    FILE = FILENAME
    name = $2
    sub(/:$/, "", name)
    verdict = $0
    sub(/^[^:]*: */, "", verdict)
    lesson = "01-softmax"
    base = "solutions"
    into = through = alone = seldom = gcc = count = 0
}
/^@lesson/ { lesson = $2 }
/^@stub/ { base = "stub" }
/^@through/ { through = 1 }
/^@(file|alone)/ { alone = 1 }
/^@seldom/ { seldom = 1 }
/^@gcc/ { gcc = 1 }
/^@(in|=) / { into = $2; count++ }
END { say() }
