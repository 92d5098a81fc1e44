# words.awk KIND=md|slips|c|sh FILE...: counts words and house idioms in the prose of these files. For "md" that is
# text without code, tables, formulas and headings; for "slips" the entries `says`; for "c" and "sh" the comments. Prints
# each idiom with its file and line, then "WORDS IDIOMS" as the last line. Idioms are matched in lower-case words with
# one blank between them; a comma or a point is a word of its own.
BEGIN {
    # What stands in no lesson at all, which the suite texts proves, and what may be rare.
    while ((getline line <"tests/suites/house_words") > 0)
        list = list line "|"
    list = list "(be|were|get|gets) told|asks of|asked of|(is|are) asked|whosoever|nobody|(is|are|was) none"
    list = list "|(stands?|stood) (in|at|for|there|behind|beside|above|below|here)"
    list = list "|but for|anew|by lot|by the way|has its turn|had no turn|is at hand|as it is|it is so|all there is"
    list = list "|are others|not any more|once more|likewise|one is on|does not become|for ever"
    list = list "|hears|the less|less (its|the) maximum|goes? round|came in|comes in"
    # "+" marks a word with a capital letter. A quiz asks "What is ...?", and a comment has no questions.
    first = "of (the|a|its|all|each|two|three|four)|those that|that one" (KIND == "md" ? "" : "|what is|who|whom")
    idiom = " ([+]?(" list ")|[+](" first ")) "
}

# Adds a line of prose. The text begins again at each file, paragraph and comment.
function prose(line,    n, parts, at) {
    line = " " line
    gsub(/[^A-Za-z'.,-]+/, " ", line)
    gsub(/[.,]/, " . ", line)
    gsub(/ [A-Z]/, " +&", line)
    gsub(/[+] /, "+", line)
    line = tolower(line)
    n = split(line, parts, " ")
    for (at = 1; at <= n; at++)
        words += parts[at] ~ /[a-z]/
    text = text line " "
    gsub(/ +/, " ", text)
    while (match(text, idiom)) {
        print FILENAME ":" FNR ": " substr(text, RSTART + 1, RLENGTH - 2)
        idioms++
        # The blank behind it may begin the next one.
        text = substr(text, RSTART + RLENGTH - 1)
    }
    if (length(text) > 200)
        text = substr(text, length(text) - 100)
}

function begin_again() { text = " " }

FNR == 1 { begin_again(); code = comment = says = 0 }

KIND == "md" {
    if (/^```/) { code = !code; next }
    if (code || /^(#|\|| *!\[)/) next
    if (!NF || /^ *([-*]|[0-9]+\.) /) begin_again()
    gsub(/`[^`]*`|\$[^$]*\$|<[^>]*>|\]\([^)]*\)/, " x ")
    prose($0)
}

KIND == "slips" {
    if (/^says/) { says = 1; begin_again(); sub(/^says/, "") } else if (!/^         /) says = 0
    if (says) prose($0)
}

KIND == "sh" && /^[ \t]*#/ && !/^#!/ {
    if (FNR != last + 1) begin_again()
    last = FNR
    prose($0)
}

KIND == "c" {
    line = $0
    while (line != "") {
        if (comment) {
            at = index(line, "*/")
            prose(at ? substr(line, 1, at - 1) : line)
            comment = !at
            line = at ? substr(line, at + 2) : ""
        } else if (match(line, /\/[*\/]/)) {
            begin_again()
            if (substr(line, RSTART, 2) == "//") { prose(substr(line, RSTART + 2)); break }
            comment = 1
            line = substr(line, RSTART + 2)
        } else
            break
    }
}

END { print words + 0, idioms + 0 }
