# How does the time grow with the number of tokens?
load "plots/style.gp"

# Columns: words naive ordered online tiled flash backward openblas torch.
last = naive = 0; first = 1e9; least = 9
got(k) = strcol(k) eq "nan" ? NaN : column(k)
stats run."/time.dat" every ::1 using (last = column(1), first = column(1) < first ? column(1) : first, \
    least = column(6) > 0 && column(6) < least ? column(6) : least, \
    strcol(2) eq "nan" ? 0 : (naive = column(2), longest = column(1), beside = column(6)), \
    column(1) <= 1024 || first == last ? (x = column(1), y2 = column(2), y5 = column(5), y6 = column(6)) : 0, 1) nooutput
said = sprintf("Twice the tokens take four times as long; at %.0f flash is %.0f times as fast as naive", \
    longest, naive / beside)
set title found(naive > beside && last > first, said)
set xlabel "tokens (one head of 64 dimensions, no mask)"
set ylabel lines("time (s)", 20)
set logscale xy; set format y powers
set xrange [0.9 * first:1.1 * last]; set yrange [0.3 * least:*]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384)
set label "naive" at x, 2.5 * y2 right textcolor rgb "#d55e00"
set label "tiled" at x, 2.2 * y5 right textcolor rgb "#009e73"
set label "flash" at 1.1 * x, 0.5 * y6 textcolor rgb "#0072b2"
plot run."/time.dat" using 1:(got(2)) with linespoints ls 2 pt 6, \
     "" using 1:(got(5)) with linespoints ls 3 pt 4, "" using 1:(got(6)) with linespoints ls 1 pt 7
