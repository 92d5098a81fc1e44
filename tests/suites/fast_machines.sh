# The lessons with vectors, 14 and 16, on other machines: their tests, compiled for speed, with vectors
# of each width and by each compiler that is here; on another kind of processor, where there is an
# emulator of one; and lesson 14 by threads. By name only: it compiles them a dozen times.
. tests/suites/lib.sh

speed=$(echo "$LOOKBACK_FAST_CFLAGS" | sed 's/-march=[^ ]*//; s/-fopenmp\( \|$\)/ /')
warnings="-Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter -Wno-nonnull -Werror"
includes="-Icommon -Icommon/nn -Icommon/testing -Ibuild/fetched/unity $(printf ' -Ilessons/%s' $LOOKBACK_LESSONS)"
harness=$(for part in columns gradcheck matrix memory product random room stack team threads todo work expect laws lesson_test observed \
    relate statics test_table trap where; do ls common/nn/$part.c common/testing/$part.c 2>/dev/null; done)

# build PROGRAM COMPILER FLAG...: the reference and its tests.
build() {
    made=$tmp/$1
    with=$2
    shift 2
    # Loops that are shared out call common/testing/threads.c, so the program needs no library of OpenMP.
    case $with in
    *clang*) parallel="-Xclang -fopenmp" ;;
    *) parallel=-fopenmp ;;
    esac
    $with -w -std=c17 -O1 -c build/fetched/unity/unity.c -o "$made.unity.o" \
        -DUNITY_OUTPUT_CHAR=report_character '-DUNITY_OUTPUT_CHAR_HEADER_DECLARATION=report_character(int)' \
        -DUNITY_INCLUDE_DOUBLE &&
        $with -std=c17 $warnings "$@" $parallel $includes -c solutions/$lesson/*.c -o "$made.o" &&
        $with -std=c17 -w "$@" $includes -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE \
            -DUNITY_INCLUDE_DOUBLE tests/$lesson/test_*.c $harness $(earlier) "$made.o" \
            "$made.unity.o" -o "$made" $static -lm
}
# What the lesson calls, and what its tests compare with.
earlier() {
    for before in $LOOKBACK_LESSONS; do
        [ "$before" != "$lesson" ] || return 0
        ls solutions/"$before"/*.c
    done
}
passes() { # PROGRAM [EMULATOR]
    $2 "$tmp/$1" >"$tmp/$1.said" 2>&1 && grep ' 0 Failures' "$tmp/$1.said"
}
# on MACHINE COMPILER FLAG...
on() {
    machine=$1
    shift
    for lesson in 14-fast 16-story; do
        program=$lesson-$1-$(echo "$machine" | tr -d ' ,')
        prove "$1 makes lesson $lesson for $machine without a warning" build "$program" "$@"
        prove "... and all its tests pass" passes "$program"
    done
}
static=

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    on native $compiler $speed -march=native
    on "native, as strict as the standard" $compiler -O3 -march=native -fopenmp-simd
    case $(uname -m) in
    x86_64)
        ! runs_here avx2 fma || on haswell $compiler $speed -march=haswell
        ! runs_here avx512bw fma || on skylake-avx512 $compiler $speed -march=skylake-avx512
        on x86-64 $compiler $speed -march=x86-64
        ;;
    esac
    # With those clang says of each loop that it made no vectors of it.
    on "native, with sanitizers" $compiler -O1 -g -march=native -fopenmp-simd -fsanitize=address,undefined \
        -fno-sanitize-recover=all -Wno-pass-failed
done

# Another kind of processor: compiled where there is a compiler for it, and run where it can be emulated.
other=aarch64-linux-gnu-gcc
if [ "$(uname -m)" != aarch64 ] && command -v $other >/dev/null; then
    static=-static
    emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
    for lesson in 14-fast 16-story; do
        for machine in armv8-a armv8.6-a; do
            program=$lesson-$machine
            prove "$other makes lesson $lesson for $machine without a warning" build "$program" $other $speed -march=$machine
            [ -z "$emulator" ] || prove "... and all its tests pass in $emulator" passes "$program" "$emulator"
        done
    done
    static=
fi

# Threads, where there is OpenMP.
for compiler in gcc clang; do
    echo 'int main(void) { return 0; }' >"$tmp/empty.c"
    $compiler -fopenmp "$tmp/empty.c" -o "$tmp/empty" 2>"$tmp/empty.said" || continue
    prove "$compiler: four threads find the bits of one" sh -c "
        $compiler -std=c17 $warnings -D_POSIX_C_SOURCE=200809L $speed -march=native -fopenmp $includes \
            tests/14-fast/threads_check.c solutions/14-fast/fast.c common/nn/random.c common/nn/todo.c \
            -o $tmp/threads-$compiler -lm && $tmp/threads-$compiler"
done
exit $failed
