# What the scripts share.

# 02-dot-product -> dot_product: the name of a lesson's files.
name_of() {
    echo "${1#*-}" | tr - _
}

# A command of the Makefile as a user gives it, whatever make is running already.
run_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" --no-print-directory "$@"
}
