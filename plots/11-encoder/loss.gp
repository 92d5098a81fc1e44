# What is it worth to "bank" to look around?
load "plots/style.gp"

stats run."/loss.dat" using (both = column("both"), thinks = column("thinks"), \
    steps = column("step"), 1) nooutput
set title found(both < 2.2 && thinks > 2.7, \
    "A word that only thinks never learns its topic; one that looks does")
set xlabel "training step"
set ylabel lines("loss of 'bank', asked for the hidden noun (nats)", 30)
set rmargin narrow ? 15 : 20
set xrange [0:steps]
set yrange [1.9:4]
set label "log 16" at 1.02 * steps, log(16) + 0.05 textcolor rgb "#777777"
set label "log 8" at 1.02 * steps, log(8) textcolor rgb "#777777"
set label "asked at the gap only" at 0.35 * steps, 3.2 textcolor rgb "#009e73"
set label "only thinks" at (narrow ? 0.6 : 0.75) * steps, 2.94 textcolor rgb "#d55e00"
set label "looks, and looks and thinks" at (narrow ? 0.15 : 0.35) * steps, 1.98 textcolor rgb "#0072b2"
plot log(16) with lines ls 4, log(8) with lines ls 4, \
     run."/loss.dat" using "step":"gap" with lines ls 3, \
     "" using "step":"thinks" with lines ls 2, \
     "" using "step":"looks" with lines ls 1 lw 1, "" using "step":"both" with lines ls 1
