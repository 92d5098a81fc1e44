# A table for gnuplot as one for readers, rounded to five digits; of a long one every so many rows, and
# the file itself. -v name=softmax.dat -v text=01/softmax.txt

# The line's fields into field[]; words in quotes are one.
function fields(line,  n) {
    n = 0
    quoted = 0
    while (line != "") {
        sub(/^[ \t]+/, "", line)
        if (line == "")
            break
        n++
        if (substr(line, 1, 1) == "\"") {
            if (n == 1)
                quoted = 1
            line = substr(line, 2)
            at = index(line, "\"")
        } else
            at = match(line, /[ \t]/) ? RSTART : 0
        field[n] = at ? substr(line, 1, at - 1) : line
        line = at ? substr(line, at + 1) : ""
    }
    return n
}

function is_number(text) {
    return text ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ || text ~ /^[-+]?(nan|inf)$/
}

function shown(text) {
    if (text ~ /nan$/)
        return "none"
    text = text ~ /inf$/ || !is_number(text) ? text : sprintf("%.5g", text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    sub(/^-/, "\342\210\222", text)
    return text
}

function row(n, head,  i) {
    printf "<tr>"
    for (i = 1; i <= n; i++)
        if (head)
            printf "<th scope=\"col\">%s</th>", shown(field[i])
        else if (i == 1 && named)
            printf "<th scope=\"row\">%s</th>", shown(field[i])
        else
            printf "<td>%s</td>", shown(field[i])
    print "</tr>"
}

{ line[NR] = $0 }

END {
    n = fields(line[1])
    named = quoted || !is_number(field[1]) || (n > 1 && !is_number(field[2]))
    head = named && !(quoted && n > 1 && is_number(field[2]))
    every = int((NR - head + 119) / 120)
    if (every < 1)
        every = 1
    printf "<table><caption><a href=\"%s\">%s</a>", text, name
    if (every > 1)
        printf ", %d rows, one of %d shown", NR - head, every
    print "</caption>"
    if (head) {
        print "<thead>"
        row(n, 1)
        print "</thead>"
    }
    print "<tbody>"
    for (i = 1 + head; i <= NR; i++) {
        if ((i - 1 - head) % every != 0 && i != NR)
            continue
        n = fields(line[i])
        if (n > 0)
            row(n, 0)
    }
    print "</tbody></table>"
}
