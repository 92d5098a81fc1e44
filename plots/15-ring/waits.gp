# Which rank waits for which?
# Needs visible_pairs stripe_seen
load "plots/style.gp"

stats data."/waits.dat" every ::7::7 using (pieces = column("pace_pieces"), stripes = column("pace_stripes"), 1) nooutput
said = sprintf("Pieces take %.2f times the mean work, stripes and zig-zag %.2f", pieces, stripes)
set title lines(said, 44)
set xlabel "rank (of 8)"
set ylabel lines("work of the rank (mean: 1)", 28)
set xrange [-0.6:7.6]
set yrange [0:2.6]
set style fill solid border lc rgb "#ffffff"
set boxwidth 0.27
set arrow from -0.6, pieces to 7.6, pieces nohead ls 2
set label "time of the ring with pieces" at -0.45, pieces + 0.14 textcolor rgb "#d55e00"
set key top center horizontal
plot data."/waits.dat" using ($1 - 0.28):2 with boxes lc rgb "#d55e00" title "pieces", \
     "" using 1:3 with boxes lc rgb "#8fd1b9" title "zig-zag", \
     "" using ($1 + 0.28):4 with boxes lc rgb "#004c78" title "stripes"
