# The parts in common/ pass their tests, and expectations that fail say what they should.
. tests/suites/lib.sh

prove "common: $("$LOOKBACK_OBJECTS/test_common" | grep -c ':PASS$') tests" \
    "$LOOKBACK_OBJECTS/test_common"
"$LOOKBACK_OBJECTS/failures" >"$tmp/failures.said"
prove "failed expectations read as in tests/common/failures.expected" \
    diff "$tmp/failures.said" tests/common/failures.expected
LOOKBACK_REPORT=1 "$LOOKBACK_OBJECTS/failures" 2>/dev/null | grep '^% ' >"$tmp/relations.said"
prove "relations are left for the tutor as in tests/common/relations.expected" \
    diff "$tmp/relations.said" tests/common/relations.expected
prove "TODO outside a test says so and ends the program" sh -c "
    cat >$tmp/todo.c <<'C'
#include \"todo.h\"
int main(void) { TODO(\"a hint\"); }
C
    $LOOKBACK_CC -std=c17 -Icommon/nn $tmp/todo.c common/nn/todo.c -o $tmp/todo.program &&
    $tmp/todo.program 2>$tmp/todo.said
    [ \$? = 3 ] && grep 'todo.c:2: main() is not written yet: a hint' $tmp/todo.said"
prove "every file in common/ has its line in the README of its folder" sh -c "
    for file in common/*/*.* common/*/*/*.*; do
        base=\${file##*/}
        base=\${base%.*}
        name=\$base folder=\${file%/*}
        [ -f \$folder/README.md ] || name=\${folder##*/}/\$base folder=\${folder%/*}
        [ -d \$file ] || [ \$base = README ] || [ \$base = tutor ] || grep -q \"\\\`\$name\" \$folder/README.md ||
            { echo \$file is missing; exit 1; }
    done"
exit $failed
