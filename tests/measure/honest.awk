# awk -v count=120 -v folder=DIR -v file=01-softmax/softmax.c -v plant="prove plant 01-softmax" -f honest.awk
# STUB REFERENCE SLIPS REGRESSIONS: what a class hands in, a file each in DIR/s001/01-softmax/softmax.c: of twenty,
# five have all of it, seven made a slip, four wrote a function of their own, and four are not done yet. Each file is
# another one.
function function_of(line) { # that a definition begins in it
    if (line !~ /^[a-z].*\(/ || line ~ /;$/ || line ~ /^(typedef|struct [a-z_]* [{])/) return ""
    sub(/\(.*/, "", line)
    sub(/.*[ *]/, "", line)
    return line
}

FNR == 1 { part++ }

# The two sources: pieces between and of functions.
part <= 2 {
    if (!inside && (found = function_of($0)) != "") {
        name[part, ++pieces[part]] = found
        inside = 1
    } else if (!inside && (pieces[part] == 0 || name[part, pieces[part]] != "")) {
        pieces[part]++
    }
    text[part, pieces[part]] = text[part, pieces[part]] $0 "\n"
    if (inside && /^}/) inside = 0
}

part == 3 && /^slip / { slip[++slips] = $2 }

part == 4 && /^attempt / { attempt_in[++attempts] = $4; next }
part == 4 && !/^(told|hint) / { attempt[attempts] = attempt[attempts] $0 "\n" }

# The code of an attempt: it may be the body alone, which is set in.
function whole(code, reference) {
    return code ~ /^ / ? substr(reference, 1, index(reference, "{")) "\n" code "}\n" : code
}

function hand_in(student, kind, which, left,    i, to, body) {
    to = sprintf("%s/s%03d/%s", folder, student, file)
    printf "/* Handed in by student %d. */\n", student > to
    if (kind == "slip") {
        close(to)
        if (system(plant " " slip[which] " >>" to) != 0) exit 1
        return
    }
    for (i = 1; i <= pieces[2]; i++) {
        body = text[2, i]
        if (kind == "attempt" && name[2, i] == attempt_in[which]) body = whole(attempt[which], body)
        if (kind == "part" && name[2, i] != "" && i > left && (name[2, i] in stub)) body = stub[name[2, i]]
        printf "%s", body > to
    }
    close(to)
}

END {
    for (i = 1; i <= pieces[1]; i++) if (name[1, i] != "") stub[name[1, i]] = text[1, i]
    for (i = 1; i <= count; i++) {
        turn = i % 20
        if (turn < 5) hand_in(i, "whole")
        else if (turn < 12 && slips) hand_in(i, "slip", i * 7 % slips + 1)
        else if (turn < 16 && attempts) hand_in(i, "attempt", i * 13 % attempts + 1)
        else hand_in(i, "part", 0, i * 3 % pieces[2])
    }
}
