# Which layer attends to the mirrored position?
load "plots/style.gp"

stats run."/weights.dat" using 1 nooutput
layers = STATS_blocks
most = 0
do for [l = 0:layers - 1] {
    stats run."/weights.dat" index l using (column(12 - int($0))) name "here" nooutput
    if (here_mean > most) { most = here_mean; layer = l }
}
set multiplot layout (ascii ? 1 : 2), (ascii ? 1 : (layers + 1) / 2) title lines(sprintf( \
    "Of %d layers, number %d gives %.2f of its weight to the mirrored position", layers, layer + 1, most), 44)
set cbrange [0:0.6]; set size square
unset border; unset grid; unset colorbox; unset xtics; unset ytics
if (!narrow) set xtics (0, 11) scale 0 offset 0, 0.6; set ytics (0, 11) scale 0 offset 0.6, 0
set xrange [-0.5:11.5]; set yrange [11.5:-0.5]
tenth(v) = ascii && v >= 0.1 ? sprintf(".%d", int(10 * v)) : " "
do for [l = (ascii ? layer : 0):(ascii ? layer : layers - 1)] {
    below = ascii || l == (layers + 1) / 2 + 1 ? "\nposition of the key (strongest colour: weight 0.6)" : l < (layers + 1) / 2 ? "" : "\n "
    beside = l % ((layers + 1) / 2) == 0 || ascii ? "query" : " "
    set xlabel "layer " . (l + 1) . below
    set ylabel beside
    plot run."/weights.dat" index l matrix with image pixels, \
         "" index l matrix using 1:2:(tenth($3)) with labels
}
