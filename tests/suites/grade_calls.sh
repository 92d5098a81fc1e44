# Pipes lie between the tests and a student's functions: every lesson's reference passes all its
# tests through them, a stub passes none, and the shapes that describe the messages are right. Where
# several lessons have the same kind of thing, one is tested here, and all are in grade_calls_all.
. tests/suites/lib.sh

every=${LOOKBACK_EVERY_LESSON:-}

sh common/grade/box.sh probe >"$said" 2>&1 || { UNSAFE=1 && export UNSAFE; }
header_of() { echo "lessons/$1/$(name_of "$1").h"; }
headers=
for lesson in $LOOKBACK_LESSONS; do
    headers="$headers $(header_of "$lesson")"
done
exercises_of() { sed -n 's/^## //p' "lessons/$1/hints.md" | tr '\n' ' '; }

generate() { # WHAT HEADER-IN-PLACE-OF-THE-LESSON'S EXERCISES
    build/generate "$1" "$3" '' ${headers%%" lessons/$lesson/"*} "$2"
}

# --- the references and the stubs

prove "what is read can be prepared" sh common/grade/prepare.sh $LOOKBACK_LESSONS
judge() { # LESSON FILE: into $tmp/judged
    rm -rf "$tmp/judged"
    mkdir -p "$tmp/judged"
    $still sh common/grade/one.sh "$1" "$2" "$tmp/judged"
}
# Where that can be asked for, a stack lies at the very end of memory, which it does by chance now and then.
still="setarch $(uname -m) -R"
$still true 2>/dev/null || still=
table() { # PART of the verdict
    python3 tests/grade/table.py "$tmp/judged" "$1"
}
verdict_is() { # AWK
    table verdict | awk -F'\t' "NR == 1 && ($1) { good = 1 } { print } END { exit !good }" ||
        { cat "$tmp/judged/screen.txt"; return 1; }
}
passes_all() { judge "$1" "$2" && verdict_is '$1 == "graded" && $2 == $3 && $4 == $5 && $5 > 0'; }
passes_none() { judge "$1" "$2" && verdict_is '$1 == "graded" && $2 == 0 && $4 == 0 && $5 > 0'; }
warnings=$LOOKBACK_WARNING_CFLAGS
export LOOKBACK_WARNING_CFLAGS= # of an optimizer, a compile more: the screens below have them
for lesson in $LOOKBACK_LESSONS; do
    prove "lesson $lesson passes all its tests through the calls" \
        passes_all "$lesson" "solutions/$lesson/$(name_of "$lesson").c"
    case $every$lesson in # arrays, structs, lanes, and functions that are handed over
    yes* | 01-* | 07-* | 14-* | 15-*)
        sh common/make/stubs.sh print "$lesson" >"$tmp/stub.c"
        prove "the stub of lesson $lesson passes none" passes_none "$lesson" "$tmp/stub.c" ;;
    esac
done

# --- what the shapes of members say

cc="$LOOKBACK_CC -std=c17 -w -O0 -Icommon -Icommon/nn -Icommon/testing -Icommon/grade -Itests"
for source in common/nn/room.c common/nn/todo.c common/nn/product.c tests/grade/shapes.c; do
    $cc -c "$source" -o "$tmp/$(basename "$source" .c).o"
done
for source in solutions/*/*.c; do
    $cc $LOOKBACK_INCLUDES -c "$source" -o "$tmp/solution_$(basename "$source" .c).o"
done
$cc common/base/source.c common/base/text.c common/base/tokens.c tests/grade/generate_shapes.c -o "$tmp/generate_shapes"
generate_shapes() { # HEADER EXERCISES
    "$tmp/generate_shapes" "$2" ${headers%%" lessons/$lesson/"*} "$1"
}
shapes_hold() { # HEADER
    generate_shapes "$1" "$(exercises_of "$lesson")" >"$tmp/shapes.c" &&
        $cc $LOOKBACK_INCLUDES "$tmp/shapes.c" "$tmp"/*.o -o "$tmp/shapes" $LOOKBACK_LDLIBS && "$tmp/shapes"
}
# A header for each member with a shape: without it, or with another size.
change_shapes() { # LESSON: writes $tmp/without.N.h and $tmp/other.N.h
    rm -f "$tmp"/without.*.h "$tmp"/other.*.h
    awk -v to="$tmp" '
        { line[NR] = $0 }
        # Without its WHERE, a cache of lesson 13 has the shape of the first heads, which is the same.
        /^    (VECTOR|MATRIX|TENSOR)\(|USED_OF\(.*;|WHERE\(.*;/ && !/decoder\[b\]/ { member[++members] = NR }
        END {
            for (m = 1; m <= members; m++)
                for (i = 1; i <= NR; i++) {
                    text = line[i]
                    if (i == member[m] && !sub(/ WHERE\(.*\)/, "", text) && !sub(/USED_OF\([^,]*, /, "(", text)) {
                        sub(/,[^;]*;/, ";", text)
                        sub(/[A-Z]+\(/, "void *", text)
                    }
                    print text >(to "/without." m ".h")
                    text = line[i]
                    if (i == member[m] && !sub(/USED_OF\(/, "&1 + ", text) && !sub(/ = /, "&1 + ", text)) sub(/, /, "&1 + ", text)
                    print text >(to "/other." m ".h")
                }
        }' "$(header_of "$1")"
}
# All in one program, which takes the number of one.
lies_are_found() { # LESSON
    change_shapes "$1"
    ls "$tmp"/without.*.h "$tmp"/other.*.h >"$tmp/changed" || return
    lie=0 told=
    : >"$tmp/lies.c"
    while read -r changed; do
        lie=$((lie + 1))
        generate_shapes "$changed" "$(exercises_of "$1")" >"$tmp/lie.c" 2>/dev/null || continue
        sed -n "s/^static void pass_\([a-z_]*\)(.*/#undef pass_\1\n#define pass_\1 pass_${lie}_\1/p" "$tmp/lie.c" >>"$tmp/lies.c"
        sed "s/^int main(void)/static int lie_$lie(void)/" "$tmp/lie.c" >>"$tmp/lies.c"
        told="$told $lie"
    done <"$tmp/changed"
    {
        echo '#include <stdlib.h>'
        echo 'int main(int count, char **argv) { switch (atoi(argv[1])) {'
        for i in $told; do echo "case $i: return lie_$i();"; done
        echo '} return 0; }'
    } >>"$tmp/lies.c"
    $cc $LOOKBACK_INCLUDES "$tmp/lies.c" "$tmp"/*.o -o "$tmp/lies" $LOOKBACK_LDLIBS || return
    for i in $told; do
        if "$tmp/lies" "$i" >/dev/null 2>&1; then
            diff "$(header_of "$1")" "$(sed -n "${i}p" "$tmp/changed")"
            return 1
        fi
    done
    [ "$told" ] && echo "$lie are found"
}
for lesson in $LOOKBACK_LESSONS; do
    grep -Eq '^    (VECTOR|MATRIX|TENSOR)\(' "$(header_of "$lesson")" || continue
    prove "lesson $lesson: what its shapes say is what is taken" shapes_hold "$(header_of "$lesson")"
    case $every$lesson in # structs with sizes of their own and with those of calls, a cache
    yes* | 07-* | 12-*) prove "lesson $lesson: no shape can be missing or wrong" lies_are_found "$lesson" ;;
    esac
done

# --- what the generator cannot read

lesson=01-softmax
unreadable() { # WORDS, and the header on standard input
    cat >"$tmp/odd.h"
    if generate calls "$tmp/odd.h" f >"$proof" 2>&1; then
        fail "a header is refused: $1"
    elif grep -qF -- "$1" "$proof"; then
        ok "a header is refused: $1"
    else
        fail "a header is refused, but not with '$1': $(tail -n 1 "$proof")"
    fi
}
echo 'void f(int n, long x);' | unreadable 'cannot pass `long x`'
echo 'char *f(int n);' | unreadable 'f(): cannot pass a result of `char *`'
echo 'void f(int n, double **rows);' | unreadable 'cannot pass `double **rows`'
echo 'void f(int n, struct s *s);' | unreadable 'cannot pass `struct s *s`'
echo 'void g(int n);' | unreadable 'no function f()'
echo 'void f(int n, void (*g)(int));' | unreadable 'cannot pass'
printf 'struct s {\n    void *x;\n};\nvoid f(const struct s *s);\n' | unreadable 'cannot pass `void *x`'
printf 'struct s {\n    VECTOR(x, n);\n};\nvoid f(const struct s *s);\n' | unreadable '`n` in a shape'
printf 'struct s {\n    char *name;\n};\nvoid f(const struct s *s);\n' | unreadable 'cannot pass `char *name`'
printf 'struct s {\n    int n;\n    void (*call)(char *text);\n};\nvoid f(struct s *s);\n' | unreadable 'cannot pass `char *text`'
printf 'struct s {\n    float x[3];\n    VECTOR(y, 3);\n};\nvoid f(const struct s *s);\n' | unreadable 'cannot pass `const struct s *s`'

# --- what is judged

lesson=02-dot-product file=solutions/02-dot-product/dot_product.c
without() { # FUNCTION: $file, where it is not
    awk -v name="$1" '$0 ~ "^[a-z]+ " name "\\(" { gone = 1 } !gone { print } /^}/ { gone = 0 }' $file
}
of_exercise() { # NAME: its state
    table exercises | awk -F'\t' -v name="$1" '$1 == name { print $2 }'
}
only() { # STATE NAME: all others are done
    judge $lesson "$tmp/given.c" && [ "$(of_exercise "$2")" = "$1" ] &&
        [ "$(table exercises | grep -vc "$(printf '\tdone\t')")" = 1 ] || { cat "$tmp/judged/screen.txt"; return 1; }
}
without dot >"$tmp/given.c"
prove "a function that is missing costs itself, whoever calls it" only missing dot
sed 's/^double dot(.*/&\n    return surprise;/' $file >"$tmp/given.c"
prove "a function that does not compile costs itself" only broken dot
sed 's/^double dot(.*/&\n    {/' $file >"$tmp/given.c"
prove "a brace too few costs one function" only broken dot
sed 's/^double dot(.*/&\n    for (;;)\n        ;/' $file >"$tmp/given.c"
LOOKBACK_SECONDS=0.5 prove "a loop that does not end costs itself" only broken dot
sed 's/^double dot(.*/&\n    TODO("later");/' $file >"$tmp/given.c"
prove "where one is still to be written, the reference stands in" only todo dot
# Only that function is replaced by the reference's.
no_other() {
    for object in build/grade/base/$lesson/standin-*.o; do
        nm "$object" | awk '$2 ~ /^[Tt]$/ && $3 !~ /^_/ && $3 !~ /\./ { print $3 }' >"$tmp/names"
        [ "$(cat "$tmp/names")" != dot ] || return 0
    done
    return 1
}
prove "and nothing else of it is there" no_other

LOOKBACK_WARNING_CFLAGS=$warnings
# The screen is the learner's own, word for word: that of make in the same place.
same_screen() { # LESSON SED: of the reference, so changed
    name=$(name_of "$1")
    sed "$2" "solutions/$1/$name.c" >"$tmp/given.c"
    ! cmp -s "$tmp/given.c" "solutions/$1/$name.c" || { echo "nothing was changed"; return 1; }
    judge "$1" "$tmp/given.c" || return 1
    rm -rf "$tmp/own"
    cp -a "build/grade/base/$1/view" "$tmp/own"
    cp "$tmp/given.c" "$tmp/own/lessons/$1/$name.c"
    (
        objects=$(cat "build/grade/base/$1/objects")
        unset FROM LOOKBACK_OUT LOOKBACK_TUTOR
        cd "$tmp/own" && NO_COLOR=1 build/tutor check "$1" $objects
    ) | sed '1,3d; /^Stuck /d' >"$tmp/screen" # without the progress in all lessons, and the hint to ask for next
    diff "$tmp/screen" "$tmp/judged/screen.txt"
}
prove "a slip is told in the same words, with what it prints" same_screen 02-dot-product '1i #include <stdio.h>
    s/sum += a\[c\] \* b/printf("at %d\\n", c), sum += a[c] + b/'
of_every() { # as prove
    [ ! "$every" ] || prove "$@"
}
# In a box the stacks of clang's sanitizers have no names.
clang=$($LOOKBACK_CC -dM -E -x c /dev/null | grep __clang__)
[ "$clang" ] || prove "so is a stray index" same_screen 05-masked 's/j < n;/j <= n;/'
prove "and what is called back" same_screen 07-seq2seq 's/step(decoder, word, logits)/step(decoder, 0, logits)/'
of_every "and what a struct holds" same_screen 08-multi-head 's/v->rows_k, v->K/v->rows_q, v->K/'
prove "and a cache" same_screen 12-decoder 's/cache->length += n/cache->length += 1/'
of_every "and lanes" same_screen 14-fast 's/    add_products(n, d_v, LANES, LANES, a,/    products(n, d_v, LANES, LANES, a,/'
[ "$clang" ] || of_every "and what ranks say of each other" same_screen 15-ring \
    '/^void ring_attention(/,/^}/ s/        flash_attention(n_heads/        block[0] = 3;\n&/'
[ "$clang" ] || prove "and a rank that crashes while others wait" same_screen 15-ring \
    '/^void ring_attention(/,/^}/ s/    memset(out/    if (ring->rank == 1)\n        *(volatile int *)8 = 3;\n&/'
of_every "and a rank that ends while others wait" same_screen 15-ring \
    '/^void ring_attention(/,/^}/ s/if (step < ranks - 1)/if (step < ranks - 1 \&\& ring->rank > 0)/'

# Measurements of a program, and a test's questions about it, give the same in the box.
fails() { # LESSON EXERCISE WORDS SED
    sed "$4" "solutions/$1/$(name_of "$1").c" >"$tmp/given.c"
    (
        box="sh common/grade/box.sh" base=build/grade/base/$1
        $box compile "$tmp/given.c" "$tmp/given.o" $LOOKBACK_CFLAGS &&
            $box link "$tmp/given.o" "$tmp/given" $LOOKBACK_CFLAGS $base/hosted.o $base/support.o $LOOKBACK_LDLIBS &&
            ! LOOKBACK_BOXES=common/grade/box.sh LOOKBACK_BOX=$tmp/given $base/test "$2"
    ) >"$tmp/failed" 2>&1 && grep -F "$3" "$tmp/failed" || { cat "$tmp/failed"; return 1; }
}
prove "memory is that of the box" fails 14-fast flash_attention "MB besides its parameters" '1i #include <stdlib.h>
    /^void flash_attention(/,/^}/ s/^ *const int group.*/&\n    float *all = malloc(sizeof(float[n_q][n_k]));\n    memset(all, 1, sizeof(float[n_q][n_k]));\n    free(all);/'
prove "and so are threads" fails 14-fast flash_attention_backward "two of them write to the same" \
    '/^void flash_attention_backward(/,/^}/ s/for schedule/for collapse(2) schedule/'
prove "and what they share by name" fails 14-fast flash_attention_backward 'two threads write to `back`' \
    '/^void flash_attention_backward(/,/^}/ { s/^ *struct back back;//
        s/^ *const int group.*/&\n    struct back back;/ }'
prove "and whether they work" fails 14-fast decode "1 of 4 threads work" '/^void decode(/,/^}/ s/^#pragma omp.*//'
prove "and the order of memory" fails 14-fast ordered_attention "is complete long before" \
    '/^void ordered_attention(/,/^}/ { s/^ *const float weight = .*/            weights[i][j] \/= sum;\n        }/
        s/^ *weights.i..j. = weight;/        for (int c = 0; c < d_v; c++) {/
        s/^            for (int c = 0; c < d_v; c++)/            for (int j = 0; j < n; j++)/
        s/+= weight \* V/+= weights[i][j] * V/ }'

# A rank may send from memory of its own, and receive into it.
sed '/^void ring_attention(/,/^}/ {
    s/^    pack_block/    float sent[4000], got[4000];\n&/
    s/^        if (step < ranks - 1)$/        if (step < ranks - 1) {\n            memcpy(sent, block, sizeof(float[block_floats(G, v.n_k, d_k, d_v)]));/
    s/d_v), block,/d_v), sent,/
    s/d_v), kv\[(step + 1) % 2\]);/d_v), got);\n        }/
    s/^            ring->wait(ring);/            ring->wait(ring);\n            memcpy(kv[(step + 1) % 2], got, sizeof(float[block_floats(G, v.n_coming, d_k, d_v)]));\n        }/
}' solutions/15-ring/ring.c >"$tmp/ring.c"
prove "a rank may use memory of its own" passes_all 15-ring "$tmp/ring.c"
of_every "and a model" same_screen 13-transformer 's|caches->written.b..length = 0|(void)b|'
# --- a host that lies

$cc tests/grade/liar.c -o "$tmp/liar"
echo 'printf "\"child-pid\": %d\n" $$ >&5; exec "${0%.sh}" "$2"' >"$tmp/liar.sh"
survives() { # WHICH: the test program says what it found, and no sanitizer anything
    for exercise in ring_attention ring_attention_backward; do
        LOOKBACK_BOXES=$tmp/liar.sh LOOKBACK_BOX=$1 timeout 900 build/grade/base/15-ring/test $exercise >"$tmp/survived" 2>&1
        status=$?
        cat "$tmp/survived"
        [ $status != 0 ] && [ $status != 124 ] && ! grep -aq -e Sanitizer -e 'runtime error' "$tmp/survived" &&
            grep -aqF -e "$2" "$tmp/survived" || return 1
    done
}
for lie in 0 1 2 3 6 8; do
    prove "lie $lie of a host is seen" survives $lie "wrote into a pipe that is not its own"
done
for lie in 4 7; do
    prove "lie $lie of a host is seen" survives $lie "called back, and was given nothing to call"
done
prove "a host cannot lend without end" survives 5 "lent too much memory"
prove "nor leave with what it lent" survives 9 "receives into what it is sending"
prove "nor start without end" survives 10 "receives into what it is sending"

exit $failed
