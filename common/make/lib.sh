# What the scripts share.

# The settings that make has found out (probe.sh). What the environment holds already is not changed.
if [ -r "${LOOKBACK_CONFIG:=build/obj-cc/config}" ]; then
    while read -r name is value; do
        case $name in LOOKBACK_*) eval "$name=\${$name-\$value}" ;; esac
    done <"$LOOKBACK_CONFIG"
fi
# Whose lessons these are, and where their results go.
FROM=${FROM:-lessons}
results=build/from/$FROM
[ "$FROM" != lessons ] || results=build/lessons
LOOKBACK_OUT=${LOOKBACK_OUT:-$results}
LOOKBACK_TUTOR=${LOOKBACK_TUTOR:-build/tutor}

# 02-dot-product -> dot_product: the name of a lesson's files.
name_of() {
    echo "${1#*-}" | tr - _
}

# Prints the SHA-256 of files, or of standard input, as a line "HASH  NAME" each.
sha256=sha256sum
command -v sha256sum >/dev/null || sha256="shasum -a 256"

# Seals what comes on standard input, or unseals it: see common/course/lesson.h.
seal="tr !-~ P-~!-O"

# A command of the Makefile as a user gives it, whatever make is running already.
run_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" --no-print-directory "$@"
}

# Is only a part of a training asked for?
is_part() {
    [ "${QUICK:-0} ${STEPS:-0} ${ONLY:-0} ${MODEL:-0}" != "0 0 0 0" ]
}

# are_files PATH...: stops the script if one of them is neither a regular file nor a folder. A link in another
# person's folder could name a file of the reader's.
are_files() {
    for path; do
        if [ -L "$path" ] || { [ -e "$path" ] && [ ! -f "$path" ] && [ ! -d "$path" ]; }; then
            echo "$path is not a regular file, so it is not read." >&2
            exit 2
        fi
    done
}

# What comes on standard input, a page at a time.
in_a_pager() {
    for pager in ${PAGER:+"$PAGER"} less more cat; do
        command -v "${pager%% *}" >/dev/null 2>&1 || continue
        LESS=${LESS-FR} LC_ALL=${LOOKBACK_LC_ALL-} sh -c "$pager"
        return
    done
}
