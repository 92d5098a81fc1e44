# Where does a head look, told in each way?
load "plots/style.gp"

ways = "nothing learned sinusoidal RoPE ALiBi"
set multiplot layout 2, 5
set cbrange [0:1]
set border 0
unset grid
unset colorbox
unset tics
do for [task in "mirror before"] {
    last = task eq "mirror" ? 11.5 : 19.5
    do for [way in ways] {
        set title way
        set xrange [-0.5:last]
        set yrange [last:-0.5]
        plot run."/weights-".task."-".way."-8.dat" matrix with image pixels
    }
}
unset multiplot
