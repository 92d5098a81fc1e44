# How much memory does a rank need?
# Needs stripe_length block_floats
load "plots/style.gp"

there = system("test -f '".run."/ranks.dat' && echo yes") eq "yes"
alone = base = 0
stats data."/memory.dat" every ::1::1 using (all = 2 * column("arrays"), 1) nooutput
if (there) stats run."/ranks.dat" using (base = column("memory") - all / column("ranks"), words = column("words"), 1) nooutput
measured = there && base > 0 && words == 8192
set title lines("Twice the ranks need half the memory for arrays, but each process needs more", 44)
set xlabel "ranks"
set ylabel "memory of a rank (MB)"
set logscale x 2
set xrange [0.9:18]
set yrange [0:100]
set label lines("arrays, from block floats and stripe length", 24) at 1.6, 80 textcolor rgb "#0072b2"
if (measured) set label lines(sprintf("measured (line: arrays and %.0f MB)", base), 15) at 4.4, 42 textcolor rgb "#d55e00"
if (!measured) set label lines("make run-15 adds measurements", 15) at 4.4, 42 textcolor rgb "#555555"
with_run = ', "" using "ranks":(column("arrays") + base) with lines ls 2, run."/ranks.dat" using 1:4 with points pt 6 ps 2 lc rgb "#d55e00"'
eval 'plot data."/memory.dat" using "ranks":"arrays" with linespoints ls 1 pt 7 ps 0.7' . (measured ? with_run : "")
