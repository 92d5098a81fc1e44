# Reads a list of mistakes (see mistakes.sh) and writes, for each, the solution with the mistake in
# it as folder/NAME/LESSON/FILE, and a line "name exercise words" in folder/list. With alone=1 the
# solution's other functions are left out: they come from the solution's own object then.

function trim(s) {
    sub(/^[ \t]+/, "", s)
    sub(/[ \t]+$/, "", s)
    return s
}

function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

BEGIN {
    # A folder for each, all at once.
    system("sed -n 's|^mistake  *\\(.*\\)|" folder "/\\1/" lesson "|p' '" ARGV[1] "' | xargs mkdir -p")
    while ((getline line < solution) > 0) {
        original[++length_of_file] = line
        if (!functions && line ~ /^#include/)
            prologue = length_of_file
        functions = functions || line ~ /\(/ && line !~ /^#/
    }
    if (!length_of_file) {
        print solution ": empty, or not there" > "/dev/stderr"
        exit failed = 1
    }
}

# The lines of the function: from its name at the start of a definition to the "}" in column 0.
function find_function(name,    i) {
    first = last = 0
    for (i = 1; i <= length_of_file; i++) {
        if (!first && original[i] ~ ("^[a-z].*[ *]" name "\\("))
            first = i
        if (first && original[i] == "}") {
            last = i
            return
        }
    }
    fail("no function " name " in " solution)
}

# Replaces the pending - lines by the pending + lines, in changed[].
function replace(    i, k, found, at) {
    if (!olds)
        return
    for (i = first; i <= last - olds + 1; i++) {
        for (k = 1; k <= olds; k++)
            if (trim(original[i + k - 1]) != old[k])
                break
        if (k > olds) {
            found++
            at = i
        }
    }
    if (found != 1)
        fail("mistake " mistake ": \"" old[1] "\" is " (found ? "there " found " times" : "not there"))
    changed[at] = additions
    for (k = 1; k < olds; k++)
        changed[at + k] = ""
    olds = 0
    additions = ""
}

function is_written(i) {
    return !alone || i <= prologue || (i >= first && i <= last)
}

function finish(    i, path) {
    if (mistake == "")
        return
    replace()
    if (says == "")
        fail("mistake " mistake " says nothing")
    path = folder "/" mistake "/" lesson "/" file
    for (i = 1; i <= length_of_file; i++)
        if (i in changed)
            printf "%s", changed[i] > path
        else if (is_written(i))
            print original[i] > path
    close(path)
    print mistake, exercise, says > (folder "/list")
    count++
    mistake = exercise = says = ""
    split("", changed)
}

/^#/ { next }
/^mistake / { finish(); mistake = $2; if (mistake in seen) fail("mistake " mistake " is there twice"); seen[mistake] = 1; next }
/^in / { exercise = $2; find_function($2); next }
/^- / {
    if (exercise == "") fail("a - line before any \"in FUNCTION\"")
    if (additions != "") replace()
    old[++olds] = trim(substr($0, 3))
    next
}
/^\+/ {
    if (!olds) fail("a + line without a - line before it")
    additions = additions substr($0, 3) "\n"
    next
}
/^says / { says = trim(substr($0, 6)); next }
/^[ \t]*$/ { next }
{ fail("what is this: " $0) }

END {
    if (failed) exit 1
    finish()
    if (failed) exit 1
    if (!count) fail("no mistakes")
}
