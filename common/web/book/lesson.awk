# Makes the text of a lesson's page from its README.md. It adds places for the pictures and the live part, and puts the
# quiz below "Quick check".
# -v live=yes -v quiz=lessons/01-softmax/quiz.md -v questions=8

function place(name) {
    printf "\n<!-- %s -->\n\n", name
}

# A button for each option. The answer stays folded below.
function put_quiz(  line, number, key) {
    print "\n<div id=\"questions\" class=\"quiz\">\n"
    while ((getline line <quiz) > 0) {
        if (line ~ /^## [0-9]/) {
            if (number++)
                print "\n</div>\n"
            printf "<div class=\"question\" role=\"group\" aria-label=\"Question %d of %d\">\n\n", number, questions
            printf "<p class=\"number\">%d of %d</p>\n", number, questions
        } else if (line ~ /^- [a-f]\) /) {
            printf "- <button type=\"button\" value=\"%s\"><b>%s</b>%s</button>\n", substr(line, 3, 1), substr(line, 3, 2), substr(line, 5)
        } else if (number) {
            if (line ~ /^\*\*[a-f]\)\*\*/)
                key = key (key == "" ? "" : ", ") number " " substr(line, 3, 1)
            print (line ~ /^<details>/ ? "<p class=\"verdict\" role=\"status\"></p>\n\n" : "") line
        }
    }
    print "\n</div>\n\n<p class=\"score\" role=\"status\"></p>\n\n<p class=\"key\">Answers: " key ".</p>\n\n</div>\n"
}

NR == 1 { next } # the page has its title
NR == 3 { printf "<p class=\"tagline\">%s</p>\n", $0; next }
NR == 5 { printf "::: takes\n%s\n:::\n", $0; next }

/^## / {
    if (section == "Quick check")
        put_quiz()
    section = substr($0, 4)
    if (section == "Your turn" && live) {
        print "## Live"
        place("live")
    }
}

match($0, /^!\[.*\]\(figures\//) { shown[substr($0, RSTART + RLENGTH)] = 1 }

section == "See it" && /^- `[a-z0-9_]*\.gp`: / {
    match($0, /`[^`]*`/)
    name = substr($0, RSTART + 1, RLENGTH - 2)
    caption = substr($0, RSTART + RLENGTH + 2)
    picture = substr(name, 1, length(name) - 3)
    if ((picture ".svg)") in shown) {
        printf "- [%s](#picture-%s): %s\n", picture, picture, caption
        next
    }
    printf "\n<figure id=\"picture-%s\">\n", picture
    place(name)
    printf "<figcaption>\n\n%s\n\n</figcaption>\n", toupper(substr(caption, 1, 1)) substr(caption, 2)
    place(name ".numbers")
    print "</figure>\n"
    next
}

{ print }
