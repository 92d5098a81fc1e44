# Which way to choose letters gives lines that are correct and varied?
load "plots/style.gp"

entropy = 0.5 * log(2) + 0.5 * log(8) # "t" or one of four names
is(way) = strcol(1) eq way
colour(x) = is("top-p 0.95") ? 0x0072b2 : 0x56b4e9 # the one of the title is darker
nucleus = plain = dull = 0
stats run."/speak.dat" using (is("top-p 0.95") ? (nucleus = $2, dull = entropy - $3) : \
    is("temperature 1") ? plain = $2 : 0, 1) nooutput
set multiplot layout 1, 2 title found(nucleus > plain && dull < 0.2, \
    sprintf("Top-p 0.95: %.3f of the lines are grammatical, and as varied as the grammar's", nucleus))
set yrange [7.6:0.4]; set ytics scale 0; set xtics 0.5
set lmargin narrow ? 15 : ascii ? 17 : 18; set rmargin 1; if (narrow) set bmargin 6
set xlabel lines("share of grammatical lines", 16)
set xrange [0:1.1]
plot run."/speak.dat" using (0):0:(0):2:($0 - 0.3):($0 + 0.3):(colour(0)):ytic(1) with boxxyerror lc rgb variable, \
     "" using (0.03):0:(sprintf("%.3f", $2)):(ink(is("top-p 0.95"), 0, 1)) with labels left textcolor rgb variable
set format y ""
set lmargin 2
set xlabel lines("entropy of the first letter (nats)", 26)
set xrange [0:2.2]
set label "the grammar" at entropy - 0.05, 7 right front textcolor rgb "#d55e00"
set arrow from entropy, 0.4 to entropy, 7.6 nohead front lw 2 lc rgb "#d55e00"
plot run."/speak.dat" using (0):0:(0):3:($0 - 0.3):($0 + 0.3):(colour(0)) with boxxyerror lc rgb variable
unset multiplot
