#!/bin/sh
# pictures.sh: draws the terminal in the README again, plots/pictures/terminal.svg, after a mistake that the tests
# know. The README's other pictures are figures of the lessons' texts: make figures.
set -u
. common/make/lib.sh
. tests/copies.sh
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
ls -l $folder
