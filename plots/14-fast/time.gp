# How long does a head take, as the text grows?
load "plots/style.gp"

# Columns: words naive ordered online tiled flash backward openblas torch.
last = naive = flash = 0
value(k) = strcol(k) eq "nan" ? NaN : column(k)
stats run."/time.dat" every ::1 using (last = column(1), flash = column(6), \
    strcol(2) eq "nan" ? 0 : (naive = column(2), longest = column(1), beside = column(6)), 1) nooutput
set title found(naive > beside, sprintf("Four times the time for twice the words, with each; %.0f times as fast at %.0f", \
    naive / beside, longest))
set xlabel "words (one head of 64 numbers, all keys seen)"
set ylabel lines("time (s)", 20)
set logscale xy; set format y powers
set xrange [230:1.1 * last]; set yrange [2e-5:3 * (naive > 1 ? naive : 1)]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384)
set label "naive" at 900, 0.5 textcolor rgb "#d55e00"
set label "tiled" at 1300, 0.035 textcolor rgb "#009e73"
set label "flash" at 3000, 0.006 textcolor rgb "#0072b2"
plot run."/time.dat" using 1:(value(2)) with linespoints ls 2 pt 6, \
     "" using 1:(value(5)) with linespoints ls 3 pt 4, "" using 1:(value(6)) with linespoints ls 1 pt 7
