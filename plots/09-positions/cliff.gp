# How far does each way reach beyond the lengths of the training?
load "plots/style.gp"

at(n, k) = column("words") == n ? column(k) : 1/0
stats run."/cliff.dat" using (at(21, "learned")) name "learned" nooutput
stats run."/cliff.dat" using (at(60, "RoPE")) name "rope" nooutput
set title found(learned_max < 0.5 && rope_max > 0.5, \
    "One word beyond the training a learned table knows nothing; RoPE goes on")
set xlabel "words in the sentence (grey line: the longest in the training)"
set ylabel lines("word before the last right (share)", 20)
set xrange [5:72]
set yrange [0:1.1]
set arrow from 20, 0 to 20, 1.1 nohead lw 2 lc rgb "#777777"
plot run."/cliff.dat" using "words":"RoPE" with lines ls 1, \
     "" using "words":"RoPE_4" with lines ls 1 lw 1, \
     "" using "words":"ALiBi" with lines ls 3, \
     "" using "words":"learned" with lines ls 2, \
     "" using "words":"sinusoidal" with lines ls 2 lw 1, \
     "" using "words":"nothing" with lines ls 4
