# Every C file compiles without a warning on each compiler that is here, and is laid out alike.
. tests/suites/lib.sh

# What runs in a page is for another machine: make play compiles it.
sources=$(find common solutions tests plots lessons -name '*.c' ! -path 'lessons/*' ! -path 'common/web/play/*' -o \
    -path 'lessons/*/milestone*.c' | sort)
# Where there is no MPI, neither are its headers.
mpi=$(mpicc --showme:compile 2>/dev/null) ||
    sources=$(echo "$sources" | grep -vF "$(ls lessons/*/milestone/needs | sed 's/needs$//; p; s|/$|.c|')")
flags="$mpi -std=c17 -O1 -fopenmp-simd -Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter -Wno-nonnull -Werror
    -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE -DUNITY_INCLUDE_DOUBLE
    -Icommon -Icommon/nn -Icommon/testing -Ibuild/fetched/unity $(printf ' -Ilessons/%s' $LOOKBACK_LESSONS)"
# What `make test` builds with gcc did not compile with a warning (STRICT, in tests/run.sh).
built=$LOOKBACK_OBJECTS
! $LOOKBACK_CC -dM -E -x c /dev/null | grep -q __clang__ || built=none
# The milestones' threads are OpenMP's, where there is such.
gcc_warns_of_nothing() {
    # No array of variable length may be made; only behind the optimizer can gcc tell it from a parameter of such
    # a type. The programs behind make have no such parameters, and of what is not set there clang warns without
    # an optimizer, for half of the time.
    bad=0
    for source in $sources; do
        case $source in
        common/base/* | common/course/* | common/explain/* | common/check/* | common/diagnose/* | common/tutor/* | \
            common/grade/box/* | tests/*)
            [ -f "$built/${source%.c}.o" ] || gcc $flags -fsyntax-only "$source" || bad=1 ;;
        common/grade/*) gcc $flags -Wvla -fsyntax-only "$source" || bad=1 ;;
        *) gcc $flags -Wvla-larger-than=0 -S -o /dev/null "$source" || bad=1 ;;
        esac
    done
    [ $bad = 0 ]
}
clang_warns_of_nothing() {
    # It finds all without making code, and takes longer to begin than to read a file: what it begins for
    # one reads all of them.
    one=$(clang $flags -fsyntax-only -### common/nn/todo.c 2>&1 | tail -n 1)
    eval "${one% *}" $sources
}
for compiler in gcc clang; do
    ! command -v $compiler >/dev/null ||
        prove "$compiler warns of nothing in $(echo "$sources" | wc -l | tr -d ' ') files" ${compiler}_warns_of_nothing
done
sh common/make/format.sh check >"$proof" 2>&1
case $? in
0) ok "the C files are laid out as .clang-format says" ;;
2) left "whether the C files are laid out as .clang-format says: it takes $(sed -n 's/^This takes \([^.]*\)\..*/\1/p' "$proof")" ;;
*) fail "the C files are laid out as .clang-format says: make format"; head -n 20 "$proof" ;;
esac
python_warns_of_nothing() {
    for source in common/grade/class/*.py; do
        python3 -I -X utf8 -W error -c 'import sys; compile(open(sys.argv[1]).read(), *sys.argv[1:])' "$source" exec || return
    done
}
if command -v python3 >/dev/null; then
    prove "Python warns of nothing in $(ls common/grade/class/*.py | wc -l) files" python_warns_of_nothing
else
    left "whether Python warns of anything: it takes python3"
fi
tidy() {
    tab=$(printf '\t')
    found=$(git ls-files -z -- . ':!plots/pictures' ':!Makefile' ':!*.mk' ':!*.expected' | xargs -0 grep -nIE "$tab| \$")
    [ -z "$found" ] || { echo "$found"; return 1; }
}
prove "no tabs, no trailing spaces, as .editorconfig says" tidy
exit $failed
