# Makes the quiz of a page from quiz.md: a button for each option. The answer stays folded below.

/^## [0-9]/ { total++ }
{ line[NR] = $0 }

function close_question() {
    if (number)
        print "\n</div>\n"
}

END {
    print "\n<div id=\"questions\" class=\"quiz\">\n"
    for (i = 1; i <= NR; i++) {
        if (line[i] ~ /^## [0-9]/) {
            close_question()
            number++
            printf "<div class=\"question\" role=\"group\" aria-label=\"Question %d of %d\">\n\n", number, total
            printf "<p class=\"number\">%d of %d</p>\n", number, total
        } else if (line[i] ~ /^- [a-f]\) /) {
            letter = substr(line[i], 3, 1)
            printf "- <button type=\"button\" value=\"%s\"><b>%s)</b> %s</button>\n", letter, letter, substr(line[i], 6)
        } else if (line[i] ~ /^<details>/) {
            print "<p class=\"verdict\" role=\"status\"></p>\n"
            print line[i]
        } else if (number)
            print line[i]
    }
    close_question()
    print "<p class=\"score\" role=\"status\"></p>\n\n</div>\n"
}
