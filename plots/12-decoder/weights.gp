# Which letters does each head attend to while "maverick" is sorted?
load "plots/style.gp"

best = 0
stats run."/aligned.dat" every ::1 using (one = strcol(1) eq "nan" ? 0 : $1, \
    sum [k = 3:6] (strcol(k) ne "nan" && column(k) > best ? (best = column(k)) : 0), 1) nooutput
found = sprintf("Largest weight on the letter to be written: %s for one head, %s for the best of four", \
    decimals(one, 2), decimals(best, 2))
set multiplot title one > 0 && best > 0 ? lines(found, 44) : " "
set cbrange [0:1]; unset colorbox; set border 0; unset grid
set xrange [-0.5:7.5]; set yrange [7.5:-0.5]; set style fill empty border
text(v) = ascii && v >= 0.05 ? number(v, 1) : " "
x(j) = ascii ? -9 : j # a terminal has no room for frames, nor for five heads
at(h, large, odd, even) = ascii || h == 0 ? large : h % 2 ? odd : even
letter = ascii ? "letter of the input" : narrow ? "input (framed: output)" : "letter of the input (framed: the one to be written)"
do for [h = 0:(ascii ? 0 : 4)] {
    set lmargin at screen at(h, 0.1, 0.6, 0.8); set rmargin at screen at(h, ascii ? 0.95 : 0.55, 0.78, 0.98)
    set bmargin at screen h == 0 || h > 2 ? 0.18 : 0.55; set tmargin at screen h < 3 ? 0.83 : 0.46
    set xlabel h > 0 ? "head " . h : letter
    set ylabel h == 0 ? "letter to be written" : " "
    plot run."/weights-".word("one 1 2 3 4", h + 1).".dat" matrix rowheaders columnheaders with image pixels, \
         "" matrix rowheaders columnheaders using 1:2:(text($3)) with labels, \
         run."/weights-true.dat" using (x($1)):2:(0.46):(0.43) with boxxyerror lw 2 lc rgb "#ffffff"; unset tics
}
unset multiplot
