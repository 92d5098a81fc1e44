#!/bin/sh
# probe.sh FILE ALL LESSONS: finds out what the compiler $CC can do, and writes the settings of the course to FILE, a
# line `NAME := value` each. make includes it; scripts (lib.sh) and C (common/base/files.h) read what begins with
# LOOKBACK_. Beside its folder it writes compile_flags.txt for editors (.clangd).
set -u
file=$1 objects=${1%/*} all=$2 lessons=$3
work=$file.part.$$ # its own: two makes may ask at once
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
mkdir -p "$work" || exit 1

if ! command -v "${CC%% *}" >/dev/null 2>&1; then
    case ${CC%% *} in
    cc | gcc) echo "No C compiler: '$CC' is not installed. On Debian or Ubuntu: apt install gcc" ;;
    */*) echo "'$CC' is not installed. Leave out CC, or name an installed compiler." ;;
    *) echo "'$CC' is not installed: apt install ${CC%% *} (Debian, Ubuntu), or leave out CC." ;;
    esac >&2
    exit 1
fi
echo 'int main(void) { return 0; }' >"$work/try.c"
if ! $CC -std=c17 -MMD -MP -MF "$work/try.d" "$work/try.c" -o "$work/try" -lm >"$work/said" 2>&1; then
    if $CC -std=c17 "$work/try.c" -o "$work/try" -lm >"$work/said" 2>&1; then
        echo "'$CC' does not work here. Use gcc or clang, which tell make what a file depends on."
    else
        echo "The C compiler '$CC' cannot build a C17 program: $(head -1 "$work/said")"
    fi >&2
    exit 1
fi

# Does an empty program compile, silently? Most of what there is to ask needs no more.
compiles() {
    $CC -std=c17 -Werror -O0 -g "$@" -c "$work/try.c" -o "$work/try.o" >"$work/said" 2>&1
}
# Does it build, and run?
works() {
    $CC -std=c17 -Werror -O0 -g "$@" "$work/try.c" -o "$work/try" >"$work/said" 2>&1 &&
        "$work/try" >>"$work/said" 2>&1
}

# The first of some flags with which a test succeeds.
first_that() { # TEST FLAGS...
    test=$1
    shift
    for flags; do
        ! $test $flags || { echo "$flags" && break; }
    done
}

sanitize=
if [ "${SANITIZE:-yes}" != no ]; then
    sanitize=$(ASAN_OPTIONS=detect_leaks=0 && export ASAN_OPTIONS &&
        first_that works -fsanitize=address,undefined,float-cast-overflow -fsanitize=undefined)
    sanitize=${sanitize:+$sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer}
fi
# What the address sanitizer sees as well, at a fifth of the compiler's time; and a pointer to rows of
# length 0 does no harm.
less=-fno-sanitize=null,alignment,object-size,pointer-overflow,vla-bound
case $sanitize in
*address*) ! compiles $sanitize $less || sanitize="$sanitize $less" ;;
esac
leaks=0
case $sanitize in
*address*) ! ASAN_OPTIONS=detect_leaks=1 "$work/try" >"$work/said" 2>&1 || leaks=1 ;;
esac

# gold links in half the time; and what need not be movable, a tenth sooner.
linker=
for flag in -fuse-ld=gold -no-pie -ldl; do
    works $sanitize $linker $flag && [ ! -s "$work/said" ] && linker="$linker${linker:+ }$flag"
done

# addr2line knows the line of an address at a tenth of the sanitizer's time; but not the column, as
# clang's does.
addr2line=
if works $linker && main=$(nm "$work/try" 2>/dev/null | sed -n 's/ T main$//p') &&
    addr2line -e "$work/try" "$main" 2>/dev/null | grep -q 'try\.c:1$' &&
    ! $CC -dM -E -x c /dev/null | grep -q __clang__; then
    addr2line=1
fi

# -fsanitize-coverage calls a function that common/testing/work.c has.
count=$(first_that compiles -fsanitize-coverage=trace-pc)
# A variable without a first value has the same odd number in every run, not a 0 by luck.
unset=$(first_that compiles -ftrivial-auto-var-init=pattern)
# All errors of a file, not the first twenty.
all_errors=$(first_that compiles -ferror-limit=0 -fmax-errors=0)
# A constant of an enum beside a double is a number like any other.
enums=$(first_that compiles -Wenum-float-conversion | sed s/-W/-Wno-/)

# gcc warns of a variable without a first value only when it optimizes.
echo 'int f(int n) { int x; for (int i = 0; i < n; i++) x += i; return x; }' >"$work/unset.c"
optimizer_warns=
if $CC -O0 -Wall -Werror -c "$work/unset.c" -o "$work/unset.o" >/dev/null 2>&1 &&
    ! $CC -Og -Wall -Werror -c "$work/unset.c" -o "$work/unset.o" >/dev/null 2>&1; then
    optimizer_warns=1
fi

# A loop marked "omp simd" may be summed in another order.
simd=$(first_that compiles -fopenmp-simd)
# In a lesson loops may also say "omp parallel for", which calls common/testing/threads.c. With the plain option
# clang would link its own library.
parallel=$(first_that "works $linker" "-Xclang -fopenmp" -fopenmp)

# For milestones: fast. A product and a sum may become one instruction, which -std=c17 forbids gcc, and
# sums may be added up in another order, so that the compiler can add several numbers at a time;
# infinities and NaN stay what they are.
fast="-O3${simd:+ }$simd"
! compiles -march=native || fast="$fast -march=native"
! works $linker -fopenmp || fast="$fast -fopenmp"
for flags in -ffp-contract=fast "-fassociative-math -fno-signed-zeros -fno-trapping-math -fno-math-errno"; do
    ! compiles $flags || fast="$fast $flags"
done

includes="-Icommon -Icommon/nn -Icommon/testing$(printf ' -Ilessons/%s' $all)"
posix="-D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE"
warnings="-Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter -Wno-nonnull${enums:+ }$enums"
# In a lesson, a warning that would only lead to a riddle is an error.
errors="-Werror=return-type -Werror=implicit-function-declaration -Werror=incompatible-pointer-types \
-Werror=int-conversion"
omp=${parallel:-$simd}
flags="-std=c17 -g -O0 $omp $sanitize $warnings $includes"
# To watch the end of each scope takes a third of the time of compiling a test.
scopes=
case $sanitize in
*address*) scopes=-fno-sanitize-address-use-after-scope ;;
esac

{
    echo "LOOKBACK_CC := $CC"
    echo "LOOKBACK_OBJECTS := $objects"
    echo "LOOKBACK_ALL := $all"
    echo "LOOKBACK_LESSONS := $lessons"
    echo "LOOKBACK_INCLUDES := $includes"
    # Some tools mix up headers and files in newer forms of debug information than the fourth.
    echo "LOOKBACK_CFLAGS := $flags -gdwarf-4 -g1 -fno-optimize-sibling-calls $unset $count $errors"
    echo "LOOKBACK_FAST_CFLAGS := -std=c17 $fast $posix $includes"
    echo "LOOKBACK_SLIP_CFLAGS := -std=c17 -O0 -w $omp $unset $includes $all_errors $errors"
    echo "LOOKBACK_WARNING_CFLAGS := ${optimizer_warns:+-std=c17 -Og $omp $warnings $includes}"
    echo "LOOKBACK_OURS := $flags $posix -Ibuild/fetched/unity -DUNITY_INCLUDE_DOUBLE"
    echo "LOOKBACK_LDLIBS := $linker -pthread -lm"
    echo "LOOKBACK_LEAKS := $leaks"
    echo "LOOKBACK_ADDR2LINE := $addr2line"
    echo "SCOPES := $scopes"
    echo "TOOL_CFLAGS := -std=c17 $warnings $posix -Icommon -Icommon/nn"
} >"$work/config"
printf '%s\n' -xc -std=c17 $omp $warnings $posix -DUNITY_INCLUDE_DOUBLE -Ifetched/unity \
    $(printf ' %s' $includes | sed 's/ -I/ -I..\//g') >"$work/editors" &&
    mv "$work/editors" "${objects%/*}/compile_flags.txt"
# Objects are made again when this file is new. A further lesson changes none of the other objects.
sed '/^LOOKBACK_ALL/d; /^LOOKBACK_LESSONS/d; s| -Ilessons/[^ ]*||g' "$work/config" >"$work/flags"
cmp -s "$work/flags" "$objects/flags" || mv "$work/flags" "$objects/flags"
mv "$work/config" "$file"
[ -n "$sanitize" ] || [ "${SANITIZE:-yes}" = no ] ||
    echo "'$CC' has no sanitizers here: memory errors may go unseen, or crash without a line." >&2
