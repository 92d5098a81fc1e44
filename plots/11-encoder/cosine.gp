# Is one word in two sentences one vector?
load "plots/style.gp"

stats run."/cosine.dat" every ::2::2 using \
    (same = column("same"), other = column("other"), gap = column("gap_other"), 1) nooutput
set title found(same > 0.9 && other < 0.3 && gap > other, \
    "Of one topic, 'bank' stays one vector; of two, it becomes two if it is asked")
set xlabel "blocks passed"
set ylabel lines("mean cosine of a word in two sentences (dimensionless)", 34)
set xrange [0:2]
set yrange [-0.6:1.1]
set xtics 1
set rmargin narrow ? 15 : 20
set label "one topic" at 2.08, same textcolor rgb "#0072b2"
gap_only = "two topics,\nasked at\nthe gap only"
set label gap_only at 2.08, gap + 0.1 textcolor rgb "#009e73"
set label "two topics" at 2.08, other textcolor rgb "#d55e00"
plot run."/cosine.dat" using "layer":"same" with linespoints ls 1 pt 7, \
     "" using "layer":"gap_other" with linespoints ls 3 pt 5, \
     "" using "layer":"other" with linespoints ls 2 pt 9
