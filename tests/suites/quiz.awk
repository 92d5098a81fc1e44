# A quiz.md has its questions in the form that the tutor reads, and its whys name no letters: at the
# terminal the options come in another order.
function bad(what) { print FILENAME ": question " n " " what; failed = 1 }
function end() {
    if (n && (options < 2 || answers != 1 || folds != 2))
        bad("lacks " (options < 2 ? "options" : answers != 1 ? "its one answer" : "<details> around its answer"))
}
# A word that is a letter alone; an article comes before something else than a verb.
function names_a_letter(why,   words, count, i, word, next_one) {
    count = split(why, words, " ")
    for (i = 1; i <= count; i++) {
        word = words[i]
        gsub(/^["(]+|[",.;:?!)]+$/, "", word)
        next_one = i < count ? words[i + 1] : "."
        if (word ~ /^[b-f]$/ || (word == "a" && (words[i] ~ /[,.;:)]$/ || next_one ~ /^(is|and|or|was|does|gives|takes|leaves|forgets)$/)))
            return 1
    }
    return 0
}
/^## / { end(); n++; options = answers = folds = 0; if ($2 != n) bad("is called " $2) }
/^- [a-z]\) / { if (substr($0, 3, 1) != substr("abcdef", ++options, 1)) bad("has option " substr($0, 3, 1) " out of order") }
/^<details><summary>Answer<\/summary>$/ || /^<\/details>$/ { folds++ }
/^\*\*[a-z]\)\*\* ./ {
    answers++
    if (!index(substr("abcdef", 1, options), substr($0, 3, 1))) bad("has no option " substr($0, 3, 1))
    if (names_a_letter(substr($0, 8))) bad("names a letter in its why")
}
END { end(); exit failed }
