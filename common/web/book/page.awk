# Makes a page of a fragment of HTML: links lead to pages of the book, places are filled in, and the menus are added.
# -v from=FILE -v to=PAGE -v title=... -v made=FOLDER; the map of the book comes before the fragment.

# from "lessons/01-softmax", "../README.md": "lessons/README.md".
function joined(folder, path,  part, n, i, deep, out) {
    n = split(folder "/" path, part, "/")
    deep = 0
    for (i = 1; i <= n; i++)
        if (part[i] == "..")
            deep--
        else if (part[i] != "" && part[i] != ".")
            out[++deep] = part[i]
    path = out[1]
    for (i = 2; i <= deep; i++)
        path = path "/" out[i]
    return path
}

# The target in the book of a link in the text; "" for a lesson that is not in the book.
function target(link,  path, place, file) {
    if (link ~ /^(https?:|#|mailto:)/)
        return link
    place = index(link, "#") ? substr(link, index(link, "#")) : ""
    path = joined(folder, place == "" ? link : substr(link, 1, index(link, "#") - 1))
    if (path in page_of)
        return page_of[path] ~ /^-/ ? "" : page_of[path] place
    file = path ~ /\.(png|svg)$/ ? path : "files/" path ".txt"
    print path, file >(made "/wanted." to)
    return file
}

function linked(text,  out, attribute, link) {
    out = ""
    while (match(text, /(href|src)="[^"]*"/)) {
        attribute = substr(text, RSTART, index(substr(text, RSTART), "=") - 1)
        link = target(substr(text, RSTART + length(attribute) + 2, RLENGTH - length(attribute) - 3))
        out = out substr(text, 1, RSTART - 1) (link == "" ? "data-absent=\"\"" : attribute "=\"" link "\"")
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

function plain(text) {
    gsub(/<[^>]*>/, "", text)
    return text
}

# A long formula within a line may be wider than a phone, so it scrolls.
function long_formulas(text,  out, math) {
    out = ""
    while (match(text, /<math display="inline"/)) {
        out = out substr(text, 1, RSTART - 1)
        text = substr(text, RSTART)
        math = substr(text, 1, index(text, "</math>") + 6)
        text = substr(text, length(math) + 1)
        match(math, />[^<]*<\/annotation>/)
        out = out (RLENGTH > 50 ? "<span class=\"long\">" math "</span>" : math)
    }
    return out text
}

# Keeps a minus and the word after it in one line, but not in the TeX of a formula, which has no line.
function whole(text,  out, word) {
    out = ""
    while (match(text, /[ (>]-[A-Za-z][^ <]*/)) {
        out = out substr(text, 1, RSTART)
        word = substr(text, RSTART + 1, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH)
        out = out (out ~ /<annotation[^>]*>[^<]*$/ ? word : "<span class=\"whole\">" word "</span>")
    }
    return out text
}

# Wide tables and code scroll on their own, with the keyboard, too.
function scrolled(text) {
    gsub(/<table/, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">&", text)
    gsub(/<\/table>/, "&</div>", text)
    gsub(/<pre/, "<pre tabindex=\"0\"", text)
    return text
}

function keep(text) {
    body[++lines] = scrolled(text)
}

function fill(name,  file, line) {
    file = made "/" (to ~ /^[0-9]/ ? substr(to, 1, 2) "/" : "") name ".html"
    while ((getline line <file) > 0)
        keep(line)
    close(file)
}

BEGIN {
    folder = from
    if (!sub(/\/[^\/]*$/, "", folder))
        folder = ""
}

FNR == NR {
    page_of[$1] = $2
    if ($1 ~ /^lessons\/.*\/README.md$/ && $2 != "-") {
        order[++lessons] = $2
        if ($2 == to)
            at = lessons
        name = $0
        sub(/^[^ ]* [^ ]* /, "", name)
        title_of[$2] = name
    }
    next
}

/^<h1/ { next }

closing && /^<\/div>/ {
    closing = 0
    next
}

/data-place="/ {
    match($0, /data-place="[^"]*"/)
    fill(substr($0, RSTART + 12, RLENGTH - 13))
    closing = !/<\/div>/
    next
}

/^<h2/ {
    match($0, /id="[^"]*"/)
    contents[++sections] = "<li><a href=\"#" substr($0, RSTART + 4, RLENGTH - 5) "\">" plain($0) "</a></li>"
    header = $0 ~ /class="header"/
}

# Each prototype in a header is a place that the list of exercises links to.
header && /^<span id="cb/ {
    text = plain($0)
    if (text ~ /^[a-z].*[a-z0-9_]\(/) {
        text = substr(text, 1, index(text, "(") - 1)
        sub(/.*[ *]/, "", text)
        if (!(text in seen))
            $0 = "<span id=\"f-" text "\"></span>" $0
        seen[text] = 1
    }
}

match($0, /<img src="[^"]*/) { behind = page_of["numbers:" substr($0, RSTART + 10, RLENGTH - 10)] }
/^<\/figure>/ && behind ~ /^[0-9]/ {
    keep("<a class=\"alone\" href=\"" behind "\">The numbers behind it</a>")
    behind = ""
}

{ keep(whole(long_formulas(linked($0)))) }

function around(class,  count, menu, i) {
    print "<nav class=\"" class "\" aria-label=\"" (class == "top" ? "The book" : "Where to go on") "\">"
    count = split("index.html,Lookback,start.html,Start here,syllabus.html,Syllabus,glossary.html,Glossary," \
        "references.html,References,course.html,Commands", menu, ",")
    for (i = 1; i < count; i += 2)
        print "<a href=\"" menu[i] "\">" menu[i + 1] "</a>"
    if (at > 1)
        print "<a rel=\"prev\" href=\"" order[at - 1] "\"><span aria-hidden=\"true\">\342\206\220 </span>" title_of[order[at - 1]] "</a>"
    if (at && at < lessons)
        print "<a rel=\"next\" href=\"" order[at + 1] "\">" title_of[order[at + 1]] "<span aria-hidden=\"true\"> \342\206\222</span></a>"
    print "</nav>"
}

END {
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    print "<title>" title (title == "Lookback" ? ": attention from scratch, in C" : " \302\267 Lookback") "</title>"
    print "<link rel=\"icon\" href=\"data:,\">"
    print "<link rel=\"stylesheet\" href=\"book.css\">\n<script src=\"book.js\"></script>\n</head>\n<body>"
    print "<a class=\"skip\" href=\"#text\">To the text</a>"
    around("top")
    print "<div class=\"page\">"
    if (sections > 3) {
        print "<nav class=\"contents\" aria-label=\"On this page\"><ul>"
        for (i = 1; i <= sections; i++)
            print contents[i]
        print "</ul></nav>"
    }
    print "<main id=\"text\">\n<h1>" title "</h1>"
    for (i = 1; i <= lines; i++)
        print body[i]
    print "</main>\n</div>"
    around("bottom")
    print "</body>\n</html>"
}
