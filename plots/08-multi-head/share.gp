# How many numbers are kept for keys and values, if heads share them?
# Needs split_heads
load "plots/style.gp"

set title lines("Fewer numbers are kept per token if query heads share key heads", 44)
set xlabel lines("numbers kept per token (8 query heads of 64 dimensions, to scale)", 44)
set ylabel "number of key heads"
name(by) = by == 1 ? "8: MHA" : by == 8 ? "1: MQA" : sprintf("%d: GQA", 8 / by)
set xrange [0:narrow ? 1160 : 1024]
set yrange [3.6:-0.6]
unset grid
# The label of the longest bar is written inside the bar.
label(kept, by) = by == 1 ? sprintf("%d: not shared", kept) : sprintf("%d: shared by %d query heads", kept, by)
beside(kept) = kept > 600 ? 1e9 : kept + 15
within(kept) = kept > 600 ? kept - 15 : 1e9
kept = 'column("kept")'
plot data."/share.dat" using (0.5 * @kept):0:(0.5 * @kept):(0.3):ytic(name(column("shared_by"))) \
    with boxxyerror lc rgb "#0072b2", \
    "" using (beside(@kept)):0:(label(@kept, column("shared_by"))) with labels left, \
    "" using (within(@kept)):0:(label(@kept, column("shared_by"))) with labels right textcolor rgb "#ffffff"
