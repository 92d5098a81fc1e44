# How long a sentence can it translate?
load "plots/style.gp"
# The longest sentences of which at least half are right, for the two networks trained on up to 40 words.
reach(k) = column(k) >= 0.5 ? column(1) : 0
stats run."/accuracy.dat" using (reach(4)) name "vector" nooutput
stats run."/accuracy.dat" using (reach(5)) name "looking" nooutput
set multiplot layout 2, 1; set lmargin 9; set xrange [4:52]; set xtics 10
set yrange [0:1.1]; set ytics 0.5
set for [n = 20:40:20] arrow from n, 0 to n, 1 nohead lw 2 lc rgb "#777777"
found = "Most sentences are right up to " . number(vector_max, 0) . \
    " words with one vector, up to " . number(looking_max, 0) . " with attention"
set title lines(found, 44)
set ylabel lines("sentences right (share)", 18)
set label 1 narrow ? "one vector" : "one vector, to 20 or 40" at 10, 0.3 textcolor rgb "#d55e00"
set label 2 narrow ? "to 20" : "attention, to 20" at narrow ? 28 : 26.5, narrow ? 0.33 : 0.6 textcolor rgb "#009e73"
set label 3 "attention, to 40" at 39.5, narrow ? 0.76 : 0.8 right textcolor rgb "#0072b2"
style_of(k) = k == 1 || k == 3 ? 2 : k == 2 ? 3 : 1 # in the order of the table
plot for [k = 1:4] run."/accuracy.dat" using 1:(column(k + 1)) with lines ls style_of(k)
unset title
set xlabel "words in the source (grey lines: longest training sentences)"
set ylabel lines("words right (share)", 12)
set label 1 at 20.5, narrow ? 0.32 : 0.3; set label 2 at 32, 0.62; set label 3 at 39.5, narrow ? 0.82 : 0.8
plot for [k = 1:4] run."/accuracy.dat" using 1:(column(k + 5)) with lines ls style_of(k)
unset multiplot
