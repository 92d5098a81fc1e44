# awk -v count=120 -v folder=DIR -v file=01-softmax/softmax.c -f honest.awk STUB REFERENCE SLIPS REGRESSIONS:
# what a class hands in, a file each in DIR/s001/01-softmax/softmax.c: of twenty, five have all of it, seven
# made a slip, four wrote a function of their own, and four are not done yet. Each file is another one.
function trimmed(line) {
    sub(/^[ \t]+/, "", line)
    sub(/[ \t]+$/, "", line)
    return line
}
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

part == 3 && $1 == "exercise" { exercise = $2; next }
part == 3 && /^(slip|way) / { slip = /^slip/ ? ++slips : 0; slip_in[slip] = exercise; next }
part == 3 && slip && /^[-+] / { patch[slip, ++lines[slip]] = $0 }

part == 4 && /^attempt / { attempt_in[++attempts] = $4; next }
part == 4 && !/^(told|hint) / { attempt[attempts] = attempt[attempts] $0 "\n" }

# The code of an attempt: it may be the body alone, which is set in.
function whole(code, reference) {
    return code ~ /^ / ? substr(reference, 1, index(reference, "{")) "\n" code "}\n" : code
}

function patched(body, slip,    i, k, n, olds, news, line) { # a block of - and + after another
    for (i = 1; i <= lines[slip] + 1; i++) {
        line = patch[slip, i]
        if ((line == "" || line ~ /^-/) && news > 0) {
            body = replaced(body, olds, news)
            olds = news = 0
        }
        if (line ~ /^-/) old[++olds] = trimmed(substr(line, 2))
        else if (line != "") fresh[++news] = substr(line, 2)
    }
    return olds > 0 ? replaced(body, olds, 0) : body
}
function replaced(body, olds, news,    count, i, k, all, made, begun) {
    count = split(body, all, "\n")
    for (i = 1; i < count; i++) {
        for (k = 1; k <= olds && trimmed(all[i]) != old[k]; k++)
            ;
        if (k > olds) made = made all[i] "\n"
        else if (olds == news) made = made fresh[k] "\n"
        else if (!begun++) for (k = 1; k <= news; k++) made = made fresh[k] "\n"
        if (k <= olds) old[k] = "\001"
    }
    return made
}

function hand_in(student, kind, which, left,    i, to, body) {
    to = sprintf("%s/s%03d/%s", folder, student, file)
    printf "/* Handed in by student %d. */\n", student > to
    for (i = 1; i <= pieces[2]; i++) {
        body = text[2, i]
        if (kind == "slip" && name[2, i] == slip_in[which]) body = patched(body, which)
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
