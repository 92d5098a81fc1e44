# When do the weights of "it" become unequal?
load "plots/style.gp"

# The exponential of an entropy is a number of words with equal weights that have this entropy.
stats run."/training.dat" using (last = exp(column("entropy")), \
    $0 == 0 ? (first = last) : 0, 1) nooutput
set title found(last < 0.5 * first, sprintf( \
    'From %.0f equal weights to about %.0f: the weights of "it" become unequal', first, last))
set xlabel "training step"
set ylabel lines('mean entropy of the row of "it" (nats)', 26)
set yrange [0:2.6]
set label "11 equal weights" at 300, 2.5
set label "2 equal weights" at 300, 0.79
plot run."/training.dat" using "step":"entropy" with lines ls 1, \
     log(11) with lines ls 4, log(2) with lines ls 4
