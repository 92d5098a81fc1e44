# Where does the decoder attend when it rewrites a date?
load "plots/style.gp"
# The first and last characters of year, month and day: in the source, and in the date.
frame = "set object rectangle from %g, %g to %g, %g front fs empty border rgb '#d55e00' lw 2"

set title lines("A few characters of the source decide each character of the date", 44)
set xlabel "character of the source (frames: year, month, day)"
set ylabel "character written"
set cblabel "weight"
set cbrange [0:1]
set xrange [-0.5:26.5]
set yrange [9.5:-0.5]
set border 0
unset grid
if (ascii) set lmargin 5; set rmargin 1; set xlabel "character of the source (numbers: weights)"
if (!ascii) {
    eval sprintf(frame, 22.5, -0.5, 26.5, 3.5)
    eval sprintf(frame, 13.5, 4.5, 21.5, 6.5)
    eval sprintf(frame, 10.5, 7.5, 12.5, 9.5)
}
tenth(v) = ascii && v >= 0.1 ? sprintf(".%d", v < 1 ? int(10 * v) : 9) : " "
plot run."/date.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders using 1:2:(tenth($3)) with labels
