# Words that the field does not use, and turns of phrase that have to be read twice, stay rare in all that a person reads.
. tests/suites/lib.sh

# rare LIMIT KIND FILES...: the files have less than LIMIT idioms in 1,000 words.
rare() {
    limit=$1 kind=$2
    shift 2
    awk -v KIND="$kind" -f tests/suites/words.awk "$@" >"$tmp/found" || return 1
    tail -n 1 "$tmp/found" | awk -v limit="$limit" '{ exit !($1 > 1000 && 1000 * $2 / $1 < limit) }' || {
        cat "$tmp/found"
        return 1
    }
}

files() { # PATTERNS...: of git, or of the folder if it is no clone
    git ls-files -co --exclude-standard "$@" 2>/dev/null | grep -v '^build/'
}

prove "the texts have less than 1 house idiom in 1,000 words" rare 1 md $(files '*.md')
prove "the sentences of known mistakes have less than 1" rare 1 slips $(files 'tests/*/slips')
prove "comments in C have less than 2" rare 2 c $(files '*.c' '*.h')
prove "comments of scripts have less than 2" rare 2 sh $(files '*.sh' '*.awk' '*.mk' '*.gp' '*.py' Makefile)

# The list is not empty: each kind of file with one idiom in it is found.
printf 'Here the way back is\ntold.\n' >"$tmp/a.md"
printf 'says     The way back\n         is missing.\n+ asks of\n' >"$tmp/slips"
printf 'int x; /* a way\n   back */ int told; // as it is\n' >"$tmp/a.c"
printf '# Somebody is told\necho somebody\n' >"$tmp/a.sh"
counts() { # KIND FILE EXPECTED
    [ "$(awk -v KIND="$1" -f tests/suites/words.awk "$tmp/$2" | tail -n 1)" = "$3" ]
}
prove "idioms are found across the lines of a text" counts md a.md "6 2"
prove "... and of a sentence about a mistake, but not in its code" counts slips slips "5 1"
prove "... and of a comment in C, but not in its code" counts c a.c "6 2"
prove "... and of a script" counts sh a.sh "3 2"
exit $failed
