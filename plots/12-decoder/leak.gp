# Does a low loss mean that a network can sort?
load "plots/style.gp"

# Rows of right.dat, columns of training.dat: four heads, one head, not shifted, no mask.
shares = ends = ""
stats run."/right.dat" every ::1 using (shares = shares . " " . strcol(6), 1) nooutput
do for [k = 2:5] {
    end = 9.0
    stats run."/training.dat" using (steps = column(1), \
        strcol(k) eq "nan" ? 0 : (end = column(k)), 1) nooutput
    ends = ends . sprintf(" %g", end)
}
end(k) = real(word(ends, k))
right(k) = word(shares, k) eq "nan" ? "-" : decimals(real(word(shares, k)), 2)
leaks = right(3) . right(4) eq "0.000.00" && right(1) >= 0.9 && end(3) < end(1) && end(4) < end(1)
set title found(leaks, "The two networks with the lowest losses sort no word right")
set xlabel "training step"
set ylabel lines("loss in training", 26)
set logscale y; set format y powers; set xrange [0:steps]; set xtics narrow ? 400 : 200; set yrange [3e-4:6]
set rmargin narrow ? 23 : 27
edge = (ascii ? 1.07 : 1.03) * steps; beside(k, name) = name . ": " . right(k) . (narrow ? " right" : " of words right")
set label beside(1, "four heads") at edge, end(1) > 2 * end(4) ? end(1) : 2 * end(4) textcolor rgb "#0072b2"
set label beside(3, "not shifted") at edge, end(3) textcolor rgb "#d55e00"
set label beside(4, "no mask") at edge, end(4) textcolor rgb "#009e73"
plot for [k = 1:3] run."/training.dat" using 1:(column(k == 1 ? 2 : k + 2)) with lines ls k
