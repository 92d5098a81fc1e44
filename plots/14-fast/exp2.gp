# How large is the error of exp2_lanes?
# Needs exp2_lanes
load "plots/style.gp"

stats data."/exp2.dat" every ::1 using (abs($2)) name "off" nooutput
said = sprintf("The error is at most %.1f in ten million", off_max)
set title found(off_max < 3, said)
set xlabel "x (at a grey line the nearest integer changes)"
set ylabel lines("relative error of 2 to the x (units of 1e-7)", 28)
set xrange [-4.05:0.05]
set yrange [-3:3]
set xtics 0.5
if (narrow) set xtics 1
set for [half in "-3.5 -2.5 -1.5 -0.5"] arrow from real(half), -3 to real(half), 3 nohead lw 2 lc rgb "#bbbbbb"
plot data."/exp2.dat" using 1:2 with lines lw 1 lc rgb "#0072b2"
