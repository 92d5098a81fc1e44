#!/bin/sh
# pictures.sh: draws the pictures of the README again, in plots/pictures/: the terminal after a
# wrong answer that the tests know, the masks of lesson 05, and what lessons 06, 07 and 13 learn.
set -u
. common/make/lib.sh
lesson=01-softmax
slip=down_the_columns
folder=plots/pictures
copy=build/pictures
rm -rf $copy
mkdir -p $folder

# A tree of its own, with a slip in it, so that the picture shows a learner's paths.
copy_tree $copy/tree
"$LOOKBACK_OBJECTS/prove" plant $lesson $slip >$copy/tree/lessons/$lesson/softmax.c || exit 1
(
    cd $copy/tree || exit 1
    run_make -s 2>/dev/null >/dev/null
    FORCE_COLOR=1 run_make -s 2>/dev/null
) >$copy/screen
awk -v command='make' -f tests/measure/screen.awk $copy/screen >$folder/terminal.svg
run_make -s plot-05 plot-06 plot-07 plot-13 FROM=solutions FORMAT=png >/dev/null || exit 1
cp build/from/solutions/13-transformer/plots/floor.png $folder/floor.png
cp build/from/solutions/05-masked/plots/weights.png $folder/masks.png
cp build/from/solutions/06-self-attention/plots/weights.png $folder/it.png
cp build/from/solutions/07-seq2seq/plots/accuracy.png $folder/length.png
cp build/from/solutions/07-seq2seq/plots/weights.png $folder/alignment.png
ls -l $folder
