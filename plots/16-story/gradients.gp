# Which gradients do the gate and up receive?
# Needs swiglu_backward
load "plots/style.gp"

stats data."/gradients.dat" every ::1 using 2:(abs($1 + 2.4) < 0.04 ? $2 : 0) name "g" nooutput
set title found(g_min_y < -0.09 && g_max_x > 1.09, "A gate that is closed still gets a gradient")
set xlabel "gate"
set ylabel lines("gradient, for up = 1 and d hidden = 1", 22)
set xrange [-6:6]; set yrange [-0.6:3.2]
set xzeroaxis lt 1 lw 1 lc rgb "#777777"
set label "of up: silu(gate)" at (narrow || ascii ? -2.2 : 0.4), 2.3 textcolor rgb "#0072b2"
set label "of the gate: slope of silu" at (narrow ? -5.8 : -3.8), (narrow ? 0.85 : 0.62) textcolor rgb "#d55e00"
set label "ReLU's slope" at 3.2, 0.75 textcolor rgb "#555555"
plot data."/gradients.dat" using 1:3 with lines ls 1, "" using 1:2 with lines ls 2, "" using 1:4 with lines ls 4
