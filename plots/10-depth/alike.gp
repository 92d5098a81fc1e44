# How similar do the words become, layer by layer?
load "plots/style.gp"

stats run."/alike.dat" every ::4::4 using (bare = column("bare"), 1) nooutput
stats run."/alike.dat" every ::12::12 using (kept = column("before"), 1) nooutput
set title found(bare > 0.99 && kept < 0.8, \
    "At initialization, four layers without a residual connection make all words the same")
set xlabel "layer"
set ylabel lines("mean cosine similarity of two words", 30)
set xrange [0:12]
set yrange [-0.05:1.08]
set label "bare, norm only" at 3, 0.94
set label "post-norm" at 5.7, 0.79 right textcolor rgb "#009e73"
set label "residual only" at 11.95, 0.665 right textcolor rgb "#d55e00"
set label "pre-norm" at 11.95, 0.44 right textcolor rgb "#0072b2"
plot run."/alike.dat" using "depth":"bare" with lines ls 4 lw 2, \
     "" using "depth":"norm" with lines ls 4 lw 2, \
     "" using "depth":"after" with lines ls 3, \
     "" using "depth":"residual" with lines ls 2, "" using "depth":"before" with lines ls 1
