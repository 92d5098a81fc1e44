# The milestone of lesson 16 on other machines: with vectors of each width, by each compiler that is here, with
# sanitizers, and on another kind of processor where there is an emulator of one. By name only: it compiles the
# milestone a dozen times.
. tests/suites/lib.sh

lesson=16-story
speed=$(echo "$LOOKBACK_FAST_CFLAGS" | sed 's/-march=[^ ]*//; s/-fopenmp\( \|$\)/ /')
warnings="-Wall -Wextra -Wconversion -Wshadow -Wno-unused-parameter -Wno-nonnull -Werror"
common=$(for part in columns memory progress random room shade todo trainer typed; do ls common/nn/$part.c common/testing/$part.c 2>/dev/null; done)
sources="lessons/$lesson/milestone.c $(ls lessons/$lesson/milestone/*.c solutions/*/*.c common/nn/tasks/*.c) $common"
$LOOKBACK_CC -std=c17 -O1 -Ilessons/$lesson tests/$lesson/story_check.c lessons/$lesson/milestone/pinned.c \
    -o "$tmp/check" -lm || fail "tests/$lesson/story_check.c compiles"
$LOOKBACK_CC -std=c17 $LOOKBACK_INCLUDES tests/$lesson/small_model.c common/nn/random.c -o "$tmp/small" -lm ||
    fail "tests/$lesson/small_model.c compiles"
mkdir -p "$tmp/model" "$tmp/tables"
"$tmp/small" "$tmp/model" 36 41 3 6 2 90 0
mv "$tmp/model/model.bin" "$tmp/model/stories15M.bin"

build() { # PROGRAM COMPILER FLAG...
    made=$tmp/$1 with=$2
    shift 2
    $with -std=c17 $warnings $speed "$@" $LOOKBACK_INCLUDES -D_POSIX_C_SOURCE=200809L $sources -o "$made" $static -lm
}
# Its story is that of the independent program, and floats and bytes agree with doubles; then everything of try and bench.
tells() { # PROGRAM [EMULATOR]
    rm -f "$tmp/tables"/*
    MODEL=$tmp/model $2 "$tmp/$1" "$tmp/tables" >"$said" && [ "$(grep -c 'differ$' "$said")" = 2 ] &&
        "$tmp/check" "$tmp/model/stories15M.bin" "$tmp/tables" || { cat "$said"; return 1; }
    printf '%s\n' Once "look 1.2" lens surprise "without 0.3" "kind int8" "the time" "kind double" "and $(printf '\377\342\202')" |
        MODEL=$tmp/model $2 "$tmp/$1" try "$tmp/tables" >"$said" && [ "$(grep -c ' after [0-9]* tokens' "$said")" = 3 ] &&
        MODEL=$tmp/model SECONDS=0 $2 "$tmp/$1" bench "$tmp/tables"
}
on() { # MACHINE COMPILER FLAG...
    machine=$1
    shift
    program=$1-$(echo "$machine" | tr -d ' ,')
    prove "$1 makes the milestone for $machine without a warning" build "$program" "$@"
    prove "... and its stories are right" tells "$program"
}

static=
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    on native $compiler -march=native
    if [ "$(uname -m)" = x86_64 ]; then
        ! runs_here avx512vnni || on "AVX-512 without VNNI" $compiler -march=skylake-avx512
        ! runs_here avx2 || on AVX2 $compiler -march=haswell
        ! runs_here avx || on AVX $compiler -march=sandybridge
        on SSE2 $compiler -march=x86-64
    fi
    on "native, with sanitizers" $compiler -O1 -g -march=native -fsanitize=address,undefined \
        -fno-sanitize-recover=all -Wno-pass-failed
done
other=aarch64-linux-gnu-gcc
if [ "$(uname -m)" != aarch64 ] && command -v $other >/dev/null; then
    static=-static
    emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
    for extension in armv8-a armv8.6-a; do
        prove "$other makes the milestone for $extension without a warning" build $extension $other -march=$extension
        [ -z "$emulator" ] || prove "... and its stories are right in $emulator" tells $extension "$emulator"
    done
else
    left "the milestone on another kind of processor: it takes $other and qemu-aarch64"
fi
exit $failed
