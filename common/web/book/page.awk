# Makes a page of a fragment of HTML: links lead to pages of the book, places are filled in, and the frame is added. The
# sections of the page, as text, go to the file made/sections.PAGE, for the search.
# -v from=FILE -v to=PAGE -v title=... -v made=FOLDER -v site=ADDRESS; the map of the book comes before the fragment.

# The target in the book of a link in the text. What is no page of the book, such as a lesson left out, is a file in it.
function target(link,  path, place, file) {
    if (link ~ /^(https?:|#|mailto:)/)
        return link
    place = index(link, "#") ? substr(link, index(link, "#")) : ""
    path = folder substr(link, 1, length(link) - length(place))
    while (sub(/[^\/]+\/\.\.\//, "", path))
        continue
    if (path in page_of)
        return page_of[path] place
    file = path ~ /\.(png|svg)$/ ? path : "files/" path ".txt"
    print path, file >(made "/wanted." to)
    return file
}

function linked(text,  out, attribute, link) {
    out = ""
    while (match(text, /(href|src)="[^"]*"/)) {
        attribute = substr(text, RSTART, index(substr(text, RSTART), "=") - 1)
        link = target(substr(text, RSTART + length(attribute) + 2, RLENGTH - length(attribute) - 3))
        out = out substr(text, 1, RSTART - 1) attribute "=\"" link "\""
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

function plain(text) {
    gsub(/<[^>]*>/, "", text)
    return text
}

# Wide tables scroll on their own. An empty cell is the head of nothing, and a formula as a head is read aloud
# as text.
function keep(text,  tex) {
    gsub(/<th[^>]*><\/th>/, "<td></td>", text)
    if (text ~ /^<th[^>]*>(<span[^>]*>)*<math/ && match(text, />[^<]*<\/annotation>/)) {
        tex = substr(text, RSTART + 1, RLENGTH - 14)
        gsub(/\\text|[\\{}]/, "", tex)
        sub(/<math/, "<span class=\"skip\">" tex "</span><math aria-hidden=\"true\"", text)
    }
    if (text ~ /^<td/ && length(plain(text)) > 40)
        sub(/td/, "td class=\"long\"", text)
    gsub(/<table/, "<div class=\"scroll\">&", text)
    gsub(/<\/table>/, "&</div>", text)
    body[++lines] = text
}

# --- the search

# Text of HTML, without the TeX of formulas, as a string of JavaScript.
function quoted(text) {
    gsub(/<annotation[^>]*>[^<]*/, "", text)
    text = plain(text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&amp;/, "\\&", text)
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}

function end_section() {
    if (found != "")
        print "[" quoted(to place) ", " quoted(heading == "" ? title : heading) ", " quoted(found) "]," >(made "/sections." to)
    found = ""
}

function begin_section(id, text) {
    end_section()
    place = id == "" ? "" : "#" id
    heading = text
}

# A section for this text, and the attribute of its place.
function named(text,  id) {
    id = plain(text)
    gsub(/[^A-Za-z0-9]+/, "-", id)
    if (id in seen)
        return ""
    seen[id] = 1
    begin_section("t-" id, text)
    return " id=\"t-" id "\""
}

function fill(name,  file, line) {
    file = made "/" (to ~ /^[0-9]/ ? substr(to, 1, 2) "/" : "") name ".html"
    while ((getline line <file) > 0)
        keep(line)
    close(file)
}

BEGIN {
    folder = from
    sub(/[^\/]*$/, "", folder)
}

FNR == NR {
    page_of[$1] = $2
    if ($2 !~ /#/) {
        order[++pages] = $2
        if ($2 == to)
            at = pages
        title_of[$2] = substr($0, length($1 $2) + 3)
    }
    next
}

/^<h1/ { next }

/^<!--/ {
    fill($2)
    next
}

# A heading is a link to itself.
/^<h[23]/ && match($0, /id="[^"]*"/) {
    id = substr($0, RSTART + 4, RLENGTH - 5)
    if (/^<h2/)
        contents[++sections] = "<li><a href=\"#" id "\">" plain($0) "</a></li>"
    begin_section(id, plain($0))
    header = $0 ~ /class="header"/
    if (!/<a /) {
        sub(/>/, "><a class=\"to\" href=\"#" id "\">")
        sub(/<\/h/, "</a>&")
    }
    keep($0)
    next
}

# So that the search leads there: paragraphs with a name, references, and the terms of the glossary.
match($0, /^<p><strong>[^<]*\.<\/strong>/) {
    text = substr($0, 12, RLENGTH - 21)
    $0 = "<p" named(text) substr($0, 3)
}
match($0, /^<p><a id="[^"]*"><\/a> <strong>[^<]*/) {
    text = substr($0, RSTART, RLENGTH)
    match(text, /id="[^"]*"/)
    begin_section(substr(text, RSTART + 4, RLENGTH - 5), plain(text))
}
to == "glossary.html" && /^<tr/ { terms = 1 }
terms && match($0, /^<td>.*<\/td>/) {
    $0 = "<td" named(substr($0, 5, RLENGTH - 9)) substr($0, 4)
    terms = 0
}

# Each prototype in a header is a place that the list of exercises links to. The comment above belongs to it.
header && /^<span id="cb/ {
    text = plain($0)
    if (text ~ /^\/[*\/]/) {
        end_section()
        commented = 1
    } else if (text ~ /^[a-z].*[a-z0-9_]\(/) {
        text = substr(text, 1, index(text, "(") - 1)
        sub(/.*[ *]/, "", text)
        if (!commented)
            end_section()
        commented = 0
        place = "#f-" text
        heading = text
        if (!(text in seen))
            $0 = "<span id=\"f-" text "\"></span>" $0
        seen[text] = 1
    }
}

/class="quiz"/ { quiz = 1 }
!quiz && /[^ ]/ { found = found (found == "" ? "" : " ") $0 }
/class="key"/ { quiz = 0 }
description == "" { description = plain($0) }

# A plot in a text leads to its numbers. In the page of its lesson they are below it, and it is the one drawn for the book.
/^<\/figure>/ && behind != "" {
    split(behind, of, "#picture-")
    if (of[1] != to)
        keep("<a class=\"alone\" href=\"" behind "\">The numbers behind it</a>")
    else {
        end = lines
        fill(of[2] ".gp.numbers")
        if (lines > end)
            sub(/src="[^"]*/, "src=\"" substr(to, 1, 2) "/" of[2] ".svg", body[image])
    }
    behind = ""
}

{
    keep(linked($0))
    if (match(body[lines], /<img src="[^"]*/) && (behind = page_of["numbers:" substr(body[lines], RSTART + 10, RLENGTH - 10)]) != "") {
        image = lines
        if (index(behind, to "#") == 1)
            sub(/<figure>/, "<figure id=\"" substr(behind, index(behind, "#") + 1) "\">", body[image - 1])
    }
}

function item(page, text,  i) {
    print "<li><a href=\"" page "\"" (page == to ? " aria-current=\"page\"" : "") ">" text "</a>"
    if (page == to && sections > 1) {
        print "<ul>"
        for (i = 1; i <= sections; i++)
            print contents[i]
        print "</ul>"
    }
    print "</li>"
}

function meta(name, text) {
    gsub(/"/, "\\&quot;", text)
    print "<meta " (name ~ /^og:/ ? "property" : "name") "=\"" name "\" content=\"" text "\">"
}

function step(rel, page, before, after) {
    if (page != "")
        print "<a rel=\"" rel "\" href=\"" page "\"><span aria-hidden=\"true\">" before "</span>" title_of[page] "<span aria-hidden=\"true\">" after "</span></a>"
}

END {
    end_section()
    order[0] = "index.html"
    title_of["index.html"] = "Lookback"
    whole_title = title (title == "Lookback" ? ": attention from scratch, in C" : " \302\267 Lookback")
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    meta("viewport", "width=device-width, initial-scale=1")
    print "<title>" whole_title "</title>"
    meta("description", description)
    meta("og:title", whole_title)
    meta("og:description", description)
    if (site != "") { # these need a whole address
        meta("og:url", site to)
        meta("og:image", site "link.png")
    }
    print "<link rel=\"icon\" href=\"data:,\">"
    print "<link rel=\"stylesheet\" href=\"book.css\">\n<script src=\"book.js\"></script>\n</head>\n<body>"
    print "<a class=\"skip\" href=\"#text\">To the text</a>\n<header>"
    print "<button type=\"button\" popovertarget=\"book\">Contents</button>\n<a href=\"index.html\">Lookback</a>"
    print "<button type=\"button\" id=\"find\" aria-keyshortcuts=\"/\">Search <kbd>/</kbd></button>"
    print "<select id=\"theme\" aria-label=\"Theme\"><option value=\"light dark\">Auto</option>"
    print "<option value=\"light\">Light</option><option value=\"dark\">Dark</option></select>\n</header>"
    print "<div class=\"page\">\n<nav id=\"book\" popover aria-label=\"The book\"><ul>"
    for (i = 0; i <= pages; i++)
        item(order[i], title_of[order[i]])
    print "</ul></nav>\n<main id=\"text\">\n<h1>" title "</h1>"
    for (i = 1; i <= lines; i++)
        print body[i]
    print "<nav class=\"bottom\" aria-label=\"Where to go on\">"
    if (at > 0)
        step("prev", order[at - 1], "\342\206\220 ", "")
    if (at < pages)
        step("next", order[at + 1], "", " \342\206\222")
    print "</nav>\n</main>\n</div>\n</body>\n</html>"
}
