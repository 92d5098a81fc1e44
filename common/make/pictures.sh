#!/bin/sh
# pictures.sh: draws the pictures of the README again, in plots/pictures/: the terminal after a
# wrong answer that the tests know, and a plot of lesson 02.
set -u
. "$(dirname "$0")/lib.sh"
lesson=01-softmax
mistake=down_the_columns
folder=plots/pictures
copy=build/pictures
rm -rf $copy
mkdir -p $copy/tree/build/fetched $copy/planted $folder

# A tree of its own, with a mistake in it, so that the picture shows a learner's paths.
git ls-files -z | xargs -0 tar cf - | (cd $copy/tree && tar xf -)
cp -R build/fetched/unity $copy/tree/build/fetched/
awk -v solution=solutions/$lesson/softmax.c -v lesson=$lesson -v folder=$copy/planted \
    -v file=softmax.c -f common/make/plant.awk tests/$lesson/mistakes || exit 1
cp $copy/planted/$mistake/$lesson/softmax.c $copy/tree/lessons/$lesson/softmax.c
(
    cd $copy/tree || exit 1
    run_make -s 2>/dev/null >/dev/null
    FORCE_COLOR=1 run_make -s 2>/dev/null
) >$copy/screen
awk -v command='make' -f common/make/screen.awk $copy/screen >$folder/terminal.svg
make -s plot-02 FROM=solutions >/dev/null && cp build/solutions/02-dot-product/plots/weights.png $folder/
ls -l $folder
