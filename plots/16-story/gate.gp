# What does the gate let through?
# Needs swiglu
load "plots/style.gp"

set title lines("A gate far above 0 passes a number on, one far below 0 stops it", 44)
set xlabel "gate (dimensionless)"
set ylabel "hidden for up = 1 (dimensionless)"
plot data."/gate.dat" using "gate":"hidden" with lines ls 1
