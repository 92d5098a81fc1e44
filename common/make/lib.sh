# What the scripts share.

# 02-dot-product -> dot_product: the name of a lesson's files.
name_of() {
    echo "${1#*-}" | tr - _
}

# A command of the Makefile as a user gives it, whatever make is running already.
run_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" --no-print-directory "$@"
}

# Says whose code a lesson's pictures or its milestone are computed by: WHAT LESSON "PASSED LESSONS".
tell_whose_code() {
    reference=
    for earlier in $LOOKBACK_LESSONS; do
        [ "$earlier" != "$2" ] || break
        case " $3 " in
        *" $earlier "*) ;;
        *) reference="$reference${reference:+, }${earlier%%-*}" ;;
        esac
    done
    echo "$1 $LOOKBACK_FROM/$2."
    [ -z "$reference" ] ||
        echo "The reference stands in for $reference: not passed, or saved again since." | fold -s -w 79
}
