# What the scripts share.

# 02-dot-product -> dot_product: the name of a lesson's files.
name_of() {
    echo "${1#*-}" | tr - _
}

# A command of the Makefile as a user gives it, whatever make is running already.
run_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" --no-print-directory "$@"
}

# Whose code a lesson's pictures and its milestone are computed by: LESSON "PASSED LESSONS".
whose_code() {
    reference=
    for earlier in $LOOKBACK_LESSONS; do
        [ "$earlier" != "$1" ] || break
        case " $2 " in
        *" $earlier "*) ;;
        *) reference="$reference${reference:+, }$earlier" ;;
        esac
    done
    echo "$LOOKBACK_FROM/$1${reference:+; the reference stands in for $reference}"
}
