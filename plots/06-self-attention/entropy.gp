# Does "it" make up its mind?
load "plots/style.gp"

# So many words alike would be as undecided as it is at the first step, and at the last.
stats run."/training.dat" using (last = exp(column("entropy")), \
    $0 == 0 ? (first = last) : 0, 1) nooutput
set title found(last < 0.5 * first, sprintf( \
    'From %.0f words alike to about %.0f: "it" makes up its mind', first, last))
set xlabel "training step"
set ylabel lines('mean entropy of the row of "it" (nats)', 26)
set yrange [0:2.6]
set label "all words alike" at 300, 2.5
set label "two words alike" at 300, 0.79
plot run."/training.dat" using "step":"entropy" with lines ls 1, \
     log(11) with lines ls 4, log(2) with lines ls 4
