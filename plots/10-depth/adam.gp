# How far does Adam go at each step?
# Needs adam_step
load "plots/style.gp"

stats data."/adam.dat" using "uncorrected" name "too" nooutput
found = sprintf("Without the correction, early steps are up to %.1f times too long", too_max)
set title lines(found, 44)
set xlabel "step"
set ylabel lines("length of the step / learning rate", 30)
set logscale x
set xrange [1:3000]
set yrange [-0.2:7.2]
set label "equal gradients, no correction" at 26, 6.3 textcolor rgb "#d55e00"
set label "equal gradients" at 1.3, 1.4 textcolor rgb "#0072b2"
set label "gradients whose sign changes each time" at 6, 0.4 textcolor rgb "#009e73"
plot data."/adam.dat" using "step":"steady" with lines ls 1, \
     "" using "step":"uncorrected" with lines ls 2, "" using "step":"turning" with lines ls 3
