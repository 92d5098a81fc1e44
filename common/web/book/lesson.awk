# Makes the text of a lesson's page from its README.md. It adds places for the pictures and the live part, puts the
# quiz below "Quick check", and links each exercise to its prototype.
# -v exercises="softmax entropy" -v live=yes -v quiz=lessons/01-softmax/quiz.md

function place(name) {
    printf "\n<!-- %s -->\n\n", name
}

# A button for each option. The answer stays folded below.
function put_quiz(  line, number, total, key) {
    while ((getline line <quiz) > 0)
        total += line ~ /^## [0-9]/
    close(quiz)
    print "\n<div id=\"questions\" class=\"quiz\">\n"
    while ((getline line <quiz) > 0) {
        if (line ~ /^## [0-9]/) {
            if (number++)
                print "\n</div>\n"
            printf "<div class=\"question\" role=\"group\" aria-label=\"Question %d of %d\">\n\n", number, total
            printf "<p class=\"number\">%d of %d</p>\n", number, total
        } else if (line ~ /^- [a-f]\) /) {
            printf "- <button type=\"button\" value=\"%s\"><b>%s</b>%s</button>\n", substr(line, 3, 1), substr(line, 3, 2), substr(line, 5)
        } else if (number) {
            if (line ~ /^\*\*[a-f]\)\*\*/)
                key = key (key == "" ? "" : ", ") number " " substr(line, 3, 1)
            print (line ~ /^<details>/ ? "<p class=\"verdict\" role=\"status\"></p>\n\n" : "") line
        }
    }
    close(quiz)
    print "\n</div>\n\n<p class=\"score\" role=\"status\"></p>\n\n<p class=\"key\">Answers: " key ".</p>\n\n</div>\n"
}

BEGIN { count = split(exercises, exercise, " ") }

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

section == "Your turn" && /^[0-9]+\. / {
    for (i = 1; i <= count; i++)
        if (at = index($0, "`" exercise[i] "`")) {
            end = at + length(exercise[i]) + 2
            $0 = substr($0, 1, at - 1) "[" substr($0, at, end - at) "](#f-" exercise[i] ")" substr($0, end)
        }
}

{ print }
