# To which words does a head attend with each method?
load "plots/style.gp"
stats run."/weights-mirror-learned-8.dat" matrix using ($1 + $2 == 11 ? $3 : 1/0) name "place" nooutput
stats run."/weights-mirror-RoPE-8.dat" matrix using ($1 + $2 == 11 ? $3 : 1/0) name "turn" nooutput
stats run."/weights-before-RoPE-8.dat" matrix using ($2 == $1 + 1 ? $3 : 1/0) name "back" nooutput
set multiplot title found(place_mean > 0.5 && turn_mean < 0.3 && back_mean > 0.5, \
    "Relative methods find the word before, and only absolute ones the opposite word")
set cbrange [0:1]; set border 0; unset grid; unset colorbox; unset xtics
if (ascii) set label "mirror" at screen 0.01, 0.88; set label "before" at screen 0.01, 0.48
mark(v) = !ascii ? " " : v >= 0.5 ? "O" : v >= 0.2 ? "o" : " "
what = ascii ? "" : "position of the key (stronger colour: larger weight)"
do for [row = 0:1] {
    last = row ? 19.5 : 11.5; set xrange [-0.5:last]; set yrange [last:-0.5]
    if (!narrow) { set xtics (0, int(last)) scale 0 offset 0, 0.6 }
    do for [i = 0:4] {
        way = word("nothing learned sinusoidal RoPE ALiBi", i + 1); task = word("mirror before", row + 1)
        left = narrow ? 0.1 + 0.18 * i : 0.07 + 0.187 * i; set lmargin at screen left
        set rmargin at screen left + (narrow ? 0.16 : 0.165)
        top = (narrow ? 0.74 : 0.83) - 0.36 * row; set tmargin at screen top; set bmargin at screen top - 0.27
        set title row ? "" : way; set ylabel i || ascii ? "" : task; set xlabel row * (i == 2) ? what : ""
        if (i || ascii) { unset ytics } else { set ytics (0, int(last)) scale 0 offset 0.6, 0 }
        plot file = run."/weights-".task."-".way."-8.dat", file matrix with image pixels, \
             "" matrix using 1:2:(mark($3)) with labels
    }
}
