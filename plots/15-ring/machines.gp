# How much faster are a thousand machines?
# Needs ring_seconds
load "plots/style.gp"

there = system("test -f '".run."/ranks.dat' && echo yes") eq "yes"
ranks = there ? run."/ranks.dat" : data."/machines.dat"
stats data."/machines.dat" every ::60::60 using (gain = column("million"), 1) nooutput
stats data."/machines.dat" every ::0::0 using (one = column("million"), 1) nooutput
said = sprintf("A million tokens take %.0f seconds on one machine, %.1f on a thousand", one, gain)
set title lines(said, 44)
set xlabel lines("machines (150 GFLOP/s, 10 Gbit/s, causal mask, 8 heads of 64)", 44)
set ylabel "seconds"
set logscale xy
set format y powers
set xrange [0.8:1400]
set yrange [3e-3:2e4]
set label "a million tokens" at 30, 700 textcolor rgb "#0072b2"
set label "100 thousand" at 12, 12 textcolor rgb "#d55e00"
set label "10 thousand" at 40, 0.13 textcolor rgb "#009e73"
if (there) set label "here: 8192 tokens, 2 heads (line: model)" at 1.1, 0.01
plot data."/machines.dat" using 1:4 with lines ls 1, "" using 1:3 with lines ls 2, "" using 1:2 with lines ls 3, \
     ranks using 1:(there ? ($1 > 1 ? $8 : $2) : NaN) with lines lw 1 lc rgb "#000000", \
     ranks using 1:(there ? $2 : NaN) with points pt 6 ps 1.6 lc rgb "#000000"
