# Who waits?
# Needs visible_pairs stripe_seen
load "plots/style.gp"

stats data."/waits.dat" every ::7::7 using (pieces = column("pace_pieces"), stripes = column("pace_stripes"), 1) nooutput
set title lines(sprintf("In pieces the ring takes %.2f times the mean of work, in stripes %.2f", pieces, stripes), 44)
set xlabel "rank, of 8"
set ylabel lines("work (mean of all ranks: 1)", 28)
set xrange [-0.6:7.6]
set yrange [0:2.35]
set style fill solid border lc rgb "#ffffff"
set boxwidth 0.27
set arrow from -0.6, pieces to 7.6, pieces nohead ls 2
set label "the ring, in pieces: a full block in each step" at -0.45, pieces + 0.1 textcolor rgb "#d55e00"
set label "pieces" at 4.3, 1.65 right textcolor rgb "#d55e00"
set label "zig-zag, stripes: alike for all" at -0.45, 1.22
plot data."/waits.dat" using ($1 - 0.28):2 with boxes lc rgb "#d55e00", \
     "" using 1:3 with boxes lc rgb "#009e73", "" using ($1 + 0.28):4 with boxes lc rgb "#0072b2"
