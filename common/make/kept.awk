# awk -f kept.awk HEADER: writes what a lesson's tests call in place of its functions: each with its
# `const` arrays of numbers compared, before and after (common/kept.h).
function trim(s) { gsub(/^ +| +$/, "", s); return s }

# "const double W[d_a][d_q + d_k]"
function read_parameter(p,    is_const, type, name, sizes, rank) {
    is_const = sub(/^const /, "", p)
    name = p
    sub(/\[.*/, "", name)
    sub(/.*[ *]/, "", name)
    given = given (given ? ", " : "") name
    if (p !~ /^(double|float|int|bool) [A-Za-z_0-9]+\[/) return
    type = p
    sub(/ .*/, "", type)
    sizes = p
    sub(/^[^[]*/, "", sizes)
    if (!is_const) {
        out = out "    kept_output(&kept_here, " name ", sizeof(" type sizes "));\n"
        return
    }
    rank = gsub(/\]\[/, ", ", sizes) + 1
    gsub(/[][]/, "", sizes)
    inputs = inputs "    kept_input(&kept_here, \"" name "\", '" substr(type, 1, 1) "', dims_of(" rank ", " sizes substr(", 1, 1, 1", 1, 12 - 3 * rank) "), " name ");\n"
}
function write_function(text,    i, head, name, list, n, parts) {
    i = index(text, "(")
    head = trim(substr(text, 1, i - 1))
    list = substr(text, i + 1)
    sub(/\)$/, "", list)
    name = head
    sub(/.* /, "", name)
    head = trim(substr(head, 1, length(head) - length(name)))
    given = inputs = out = ""
    n = split(list, parts, /, */)
    for (i = 1; i <= n; i++) read_parameter(parts[i])
    if (!inputs) return
    print "\n#define " name "(...) kept_" name "(__LINE__, __VA_ARGS__)"
    print "KEPT " head " kept_" name "(int test_line, " list ") {"
    print "    struct kept_call kept_here;\n    kept_begin(&kept_here);"
    printf "%s%s", inputs, out
    print "    " (head == "void" ? "" : head " result = ") "(" name ")(" given ");"
    print "    kept_end(&kept_here, test_line);" (head == "void" ? "" : "\n    return result;") "\n}"
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    print "/* Made from " name " by kept.awk. */\n#include \"" name "\"\n#include \"kept.h\"\n"
    print "#define KEPT static inline __attribute__((unused, no_sanitize(\"address\", \"undefined\")))"
}
/^#/ { next }
{ text = text $0 " " }
END {
    gsub(/\/\*([^*]|\*[^\/])*\*\//, " ", text)
    gsub(/[ \t]+/, " ", text)
    n = split(text, parts, ";")
    for (k = 1; k <= n; k++) {
        sub(/^ *\}/, "", parts[k]) # of a body before it
        parts[k] = trim(parts[k])
        if (parts[k] ~ /^(void|double|float|int|bool|vec) [a-z_0-9]+\(.*\)$/) write_function(parts[k])
    }
}
