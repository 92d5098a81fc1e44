# The milestone of lesson 13 trains on the reference, for a short while; what it keeps can be drawn and
# tried. SUITES=writer_seeds trains it in full, at three seeds.
. tests/suites/lib.sh

milestone 13-transformer
# holds FILE ROW COLUMN TEST: of a number in a table; the row is named by its first word.
holds() {
    sed 's/"//g; s/\(top-[kp]\|temperature\) /\1_/' "$tables/$1" |
        awk "\$1 == \"$2\" { found = 1; good = \$$3 $4 } END { exit !(found && good) }" ||
        { echo "$1, row $2: column $3 is not $4"; cat "$tables/$1"; return 1; }
}

refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-13 FROM=$from SEED=two
run QUICK=1
prove "the networks' gradients are what nudging measures" passes network_check $folder/milestone
prove "a short run says that it is one" says "Not the whole training: QUICK or STEPS." "$said"
prove "what the page is made of is there" kept_for_the_page 13 "$tables"
prove "the first loss of the writer is not log 31 = 3.43, but 4 to 5: the current character gets a high logit" \
    awk 'NR == 2 { good = $1 == 1 && $2 > 4 && $2 < 5 } END { exit !good }' "$tables/training-writer.dat"
prove "the grammar's loss of the same lines is known, and the writer's is never below it" awk '
    NR > 1 { rows++; good += $3 > 0.3 && $3 < 0.4 && $2 > $3 } END { exit !(rows >= 40 && good == rows) }' \
    "$tables/training-writer.dat"
prove "... after 400 steps the writer is .4 above it at most" awk \
    'END { exit !($1 == 400 && $2 - $3 < 0.4) }' "$tables/training-writer.dat"
prove "... and more of its lines are right if it is colder" sh -c "
    awk -F'\" ' '{ split(\$2, n, \" \"); right[\$1] = n[1] }
        END { exit !(right[\"\\\"temperature 0.5\"] > right[\"\\\"temperature 1\"] &&
                     right[\"\\\"temperature 1\"] > right[\"\\\"temperature 1.5\"]) }' $tables/speak.dat"
prove "... the coldest of all says one line" holds speak.dat greedy 3 "== 0"
prove "of the sentences of 5 words most are right" holds accuracy.dat 5 2 ">= 0.5"
prove "... and of those of 15, longer than any in training, none" holds accuracy.dat 15 2 "== 0"
prove "the table is no wider than 80 columns" sh -c "! grep -n '.\{81\}' $said"
sh tests/suites/plots.sh $lesson $from || failed=1

# The same steps by one thread.
losses() {
    cat "$tables"/training-*.dat
}
run STEPS=3
losses >"$tmp/reference"
(export OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 && run STEPS=3)
losses >"$tmp/one-thread"
prove "one thread finds the very losses of two" cmp "$tmp/reference" "$tmp/one-thread"

# Trying, with the networks of the short run.
try() {
    printf '%s\n' "$@" | run_make try-13 QUICK=1 FROM=$from >"$said" 2>&1
}
try "the young cat saw a red house" "look all" "look 4" "3 may 2021" "the unicorn" "look 1 2" \
    "write the old" "temperature 0" "write mira" "write #" "top-k 99" "top-p 0.5" "" "never read"
prove "make try-13 writes a word a line, with its weights" \
    grep -q '^  [a-z]*  *[ .:=+*#%@-]*  [a-z]* [01]\.' "$said"
prove "... of every head of every layer, if it is asked for" sh -c "
    [ \$(grep -c '^Layer [123], head [1234]: .*attention' $said) = 15 ] &&
    [ \$(grep -c '^Layer 3, head 4: cross-attention' $said) = 1 ]"
prove "... or of their mean" grep -q '^Layer 3, the mean of its heads: cross-attention' "$said"
prove "... knows how many layers there are" says "This network has 3 layers of 4 heads." "$said"
prove "... names a word that it does not know" says "It does not know 'unicorn'." "$said"
prove "... and a letter" says "but not '#'" "$said"
prove "... goes on from what is typed" grep -q '^  the old *[a-z]' "$said"
prove "... in the way that is asked for" says "The writer always takes the most likely letter." "$said"
prove "... refuses a bound that is none" says "This must be a number from 0 to 31." "$said"
prove "... reads no further than an empty line, in 80 columns" sh -c "
    ! grep -q 'never read' $said && ! grep -n '.\{81\}' $said"

# Models of other networks: one line, and nothing is loaded. See translation.sh for what is broken.
foreign() { # WHAT FILE WORDS
    cp "$tables/writer.model" "$tmp/whole"
    cp "$2" "$tables/writer.model"
    refuse "a model $1 is refused" "writer.model $3" sh -c "echo write | QUICK=1 $folder/milestone try $tables"
    cp "$tmp/whole" "$tables/writer.model"
}
foreign "of another task" "$tables/dates.model" "was trained for another task, or with other sizes"
head -c 20000 "$tables/writer.model" >"$tmp/half"
foreign "that ends early" "$tmp/half" "is cut off"

# Ctrl-C, at a terminal, when a training has begun.
# Two blanks behind a name: a path may have it, too.
ctrl_c 13 "$tables/accuracy.dat" 400 "writer  " \
    30 "dates  " '^  translation  *- '
prove "... and kept: speak.dat has numbers, and accuracy.dat nan" sh -c "
    [ \$(grep -c ' nan' $tables/accuracy.dat) = 6 ] && [ \$(wc -l <$tables/speak.dat) = 8 ]"
exit $failed
