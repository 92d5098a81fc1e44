# How much of a gradient reaches the first layer?
load "plots/style.gp"

set multiplot layout 1, 2 title lines( \
    "Residual connections stop vanishing gradients, norms stop exploding ones", 40)
set logscale y
set format y powers
set xrange [1:12]
set xtics (2, 4, 6, 8, 10, 12)
set yrange [1e-9:1e7]
style(k) = k == 4 ? 2 : k == 5 ? 3 : k == 6 ? 1 : 4
where = ascii ? "gradient" : "gradient at the input, if it is 1 at the output"
set ylabel lines(where, 30)
set xlabel lines("layers (weights halved)", 18)
set label 1 "bare" at 7.3, 2e-4
set label 2 "norm only" at 4, 1e-2
set label 3 "with residual" at 3, 10
plot for [k = 2:6] run."/gradients-half.dat" using 1:k with lines ls style(k) lw (k < 4 ? 2 : 3)
set ylabel " "
set xlabel lines("layers (weights not halved)", 18)
set label 1 lines("bare, norm only, post-norm", 20) at 2, 1e-2
set label 2 "residual only" at 1.4, 1e5 textcolor rgb "#d55e00"
set label 3 "pre-norm" at 12, 20 right textcolor rgb "#0072b2"
plot for [k = 2:6] run."/gradients.dat" using 1:k with lines ls style(k) lw (k < 4 ? 2 : 3)
unset multiplot
