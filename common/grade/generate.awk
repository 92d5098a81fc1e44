# awk -v what=WHAT -v exercises="EXERCISES" -v also="ALSO" -f generate.awk HEADER...: reads a lesson's header, the last
# one, behind those that it includes, and writes C for the calls of its exercises (and of the functions named in ALSO):
#
#     calls    the caller's side: functions of these names, which send their arguments to the host
#     hosted   the host's side: takes the arguments out, and calls the functions; and stand-ins for functions that are
#              not there
#     shapes   a program that compares the shapes in the structs with what take_...() lays out
#     table    parameters and structs as JSON, for a page (common/web/play)
#
# README.md says what can be passed; anything else in a header ends the program with a message.
#
# Structs, functions, the take_...() of a struct, and typedefs of functions are lists of variables: a struct's members, or
# parameters. A list has an id such as "struct gru" and count[id] variables. A variable has an id such as "struct gru,2"
# and in these arrays: name; type; kind (see forms()); dims, "[n][2]"; sizes, of a member, or how many structs are used;
# where, what WHERE says; inner, the parameters of a function; is_const, is_struct.

# --- words

function die(why) {
    print "generate: " own ": " why >"/dev/stderr"
    exit status = 1
}
function trimmed(text) {
    gsub(/^ +| +$/, "", text)
    return text
}
function contains(list, word) {
    return index(" " list " ", " " word " ") > 0
}
# Where the sign stands outside of all brackets; behind the end if it does not.
function place_of(sign, text,   i, c, depth, all) {
    all = length(text)
    for (i = 1; i <= all; i++) {
        c = substr(text, i, 1)
        if (depth == 0 && c == sign)
            break
        if (c ~ /[[({]/)
            depth++
        else if (c ~ /[])}]/)
            depth--
    }
    return i
}
# What stands between the first bracket and the one that closes it.
function inside(text) {
    text = substr(text, match(text, /[[({]/) + 1)
    return trimmed(substr(text, 1, index("({[", substr(text, 0, 1)) + length(text)))
}
