# Does a word have the same vector in two sentences?
load "plots/style.gp"

stats run."/cosine.dat" every ::2::2 using \
    (same = column("same"), other = column("other"), gap = column("gap_other"), 1) nooutput
set title found(same > 0.9 && other < 0.3 && gap > other, \
    "The vectors of 'bank' separate by topic")
set xlabel "after block"
set ylabel lines("mean cosine of a word in two sentences", 34)
set xrange [0:2]
set yrange [-0.6:1.1]
set xtics 1
set rmargin narrow ? 15 : 20
set label "same topic" at 2.08, same textcolor rgb "#0072b2"
gap_only = "other topic,\ntrained at\nthe gap only"
set label gap_only at 2.08, gap + 0.1 textcolor rgb "#009e73"
set label "other topic" at 2.08, other textcolor rgb "#d55e00"
plot run."/cosine.dat" using "layer":"same" with linespoints ls 1 pt 7, \
     "" using "layer":"gap_other" with linespoints ls 3 pt 5, \
     "" using "layer":"other" with linespoints ls 2 pt 9
