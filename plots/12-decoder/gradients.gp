# Which inputs does the gradient of an output row reach?
# Needs decoder_block decoder_block_backward
load "plots/style.gp"

least = 1; above = 0
stats data."/gradients-memory.dat" matrix using (least = $3 < least ? $3 : least, 1) nooutput
stats data."/gradients-target.dat" matrix using (above = $1 > $2 && $3 > above ? $3 : above, 1) nooutput
set multiplot layout 1, 2 title found(above == 0 && least > 0, \
    "The gradient of a row of out reaches no later row of X, but the whole memory")
set cbrange [0:1]; unset colorbox
set border 0; unset grid
set yrange [4.5:-0.5]; set ytics 1
set xtics 1
plain(v) = v == 0 ? "0" : cell(v, narrow ? 1 : 2, 0, 1)
do for [side in "target memory"] {
    target = side eq "target"
    set xrange [-0.5:(target ? 4.5 : 6.5)]
    set ylabel target ? lines("row of out with a gradient of length 1", 24) : " "
    set xlabel target ? "length of the gradient at row of X" : "... at row of the memory"
    plot data."/gradients-".side.".dat" matrix with image pixels, \
         "" matrix using 1:2:(plain($3)):(ink($3, 0, 1)) with labels textcolor rgb variable
}
unset multiplot
