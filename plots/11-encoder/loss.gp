# Which of the four networks learns to name the hidden noun at "bank"?
load "plots/style.gp"

stats run."/loss.dat" using (both = column("both"), forward = column("forward"), \
    steps = column("step"), 1) nooutput
set title found(both < 2.2 && forward > 2.7, \
    "Without attention, 'bank' never learns its topic")
set xlabel "training step"
set ylabel lines("loss at 'bank' (nats)", 30)
set rmargin narrow ? 15 : 20
set xrange [0:steps]
set yrange [1.8:4]
set label "log 16" at 1.02 * steps, log(16) + 0.05 textcolor rgb "#777777"
set label "log 8" at 1.02 * steps, log(8) textcolor rgb "#777777"
set label lines("both, trained at the gap only", 18) at 0.35 * steps, narrow ? 3.5 : 3.2 textcolor rgb "#009e73"
set label "only feed-forward" at (narrow ? 0.45 : 0.65) * steps, 2.94 textcolor rgb "#d55e00"
set label "attention, with or without feed-forward" at (narrow ? 0.03 : 0.35) * steps, 1.92 textcolor rgb "#0072b2"
plot log(16) with lines ls 4, log(8) with lines ls 4, \
     run."/loss.dat" using "step":"gap" with lines ls 3, \
     "" using "step":"forward" with lines ls 2, \
     "" using "step":"attention" with lines ls 1 lw 1, "" using "step":"both" with lines ls 1
