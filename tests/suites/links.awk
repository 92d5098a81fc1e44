# What is dead among the links of pages: a file that is not there, a place that no page has, or anything
# that a page would fetch from outside. All pages are read; -v folder= is where they lie.

function check(page, link,  file, place) {
    file = place = link
    sub(/#.*/, "", file)
    if (!sub(/^[^#]*#/, "", place))
        place = ""
    if (file == "")
        file = page
    if (file ~ /\.html$/ && place != "" && !((file "#" place) in known))
        print page ": " link
    else if (!(file in there)) {
        there[file] = (getline line <(folder "/" file)) > 0
        close(folder "/" file)
    }
    if (!there[file])
        print page ": " link
}

FNR == 1 {
    page = FILENAME
    sub(/.*\//, "", page)
}

{
    text = $0
    while (match(text, /[ "](href|src|srcset|id)="[^"]*"/)) {
        attribute = substr(text, RSTART + 1, index(substr(text, RSTART), "=") - 2)
        value = substr(text, RSTART + length(attribute) + 3, RLENGTH - length(attribute) - 4)
        before = substr(text, 1, RSTART)
        text = substr(text, RSTART + RLENGTH)
        if (attribute == "id" && ((page "#" value) in known))
            print page ": two places are called " value
        if (attribute == "id")
            known[page "#" value] = 1
        else if (value ~ /^https?:/ && attribute == "href" && before ~ /<a [^<]*$/)
            outside++
        else if (value != "data:,") {
            from[++links] = page
            to[links] = value
        }
    }
}

END {
    for (i = 1; i <= links; i++)
        check(from[i], to[i])
    if (links == 0)
        print "there are no links"
}
