# Makes a table of HTML from a table for gnuplot, rounded to five digits. Of a long table it shows every second,
# third ... row, with a link to the whole file. -v name=softmax.dat -v text=01/softmax.txt

# Puts the fields of the line into field[]; words in quotes are one field.
function fields(line,  n) {
    for (n = 0; match(line, /"[^"]*"|[^ \t"]+/); line = substr(line, RSTART + RLENGTH)) {
        field[++n] = substr(line, RSTART, RLENGTH)
        gsub(/"/, "", field[n])
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

function row(n, head,  i, tag) {
    printf "<tr>"
    for (i = 1; i <= n; i++) {
        tag = head ? "th scope=\"col\"" : i == 1 && named ? "th scope=\"row\"" : "td"
        printf "<%s>%s</%s>", tag, shown(field[i]), substr(tag, 1, 2)
    }
    print "</tr>"
}

/[^ \t]/ { line[++lines] = $0 }

END {
    n = fields(line[1])
    head = line[1] !~ /^"/ && !is_number(field[1])
    named = line[1] ~ /^"/ || head
    every = int((lines - head + 119) / 120)
    printf "<table><caption><a href=\"%s\">%s</a>", text, name
    if (every > 1)
        printf ", %d rows, one of %d shown", lines - head, every
    print "</caption>"
    if (head) {
        print "<thead>"
        row(n, 1)
        print "</thead>"
    }
    print "<tbody>"
    for (i = 1 + head; i <= lines; i++)
        if ((i - 1 - head) % every == 0 || i == lines)
            row(fields(line[i]), 0)
    print "</tbody></table>"
}
