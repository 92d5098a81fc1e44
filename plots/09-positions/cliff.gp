# Which methods still work in inputs that are longer than those of the training?
load "plots/style.gp"

stats run."/cliff.dat" using ($1 == 21 ? (learned = column("learned")) : 0, \
    $1 == 60 ? (rope = column("RoPE")) : 0, 1) nooutput
set title found(learned < 0.5 && rope > 0.5, \
    "Absolute methods fail just beyond the 20 words of the training; RoPE does not")
set xlabel lines("words in the input (grey line: 20, the length in training)", 42)
set ylabel lines("share of right answers at the last position", 24)
set xrange [5:narrow ? 60 : 71]
set yrange [0:1.1]
set arrow from 20, 0 to 20, 1.1 nohead lw 2 lc rgb "#777777"
set label "RoPE" at narrow ? 54 : 61, narrow ? 1.05 : 1 textcolor rgb "#0072b2"
set label "ALiBi" at narrow ? 54 : 61, narrow ? 0.8 : 0.87 textcolor rgb "#009e73"
set label lines("RoPE, 4 heads", 8) at 42, 0.6 textcolor rgb "#0072b2"
set label "nothing" at narrow ? 49 : 61, narrow ? 0.21 : 0.14 textcolor rgb "#555555"
set label "learned" at 19.5, 0.5 right textcolor rgb "#d55e00"
set label "sinusoidal" at 22.5, 0.5 textcolor rgb "#d55e00"
plot run."/cliff.dat" using "words":"nothing" with lines ls 4, \
     "" using "words":"RoPE_4" with lines ls 1 lw 1, "" using "words":"RoPE" with lines ls 1, \
     "" using "words":"ALiBi" with lines ls 3, \
     "" using "words":"sinusoidal" with lines ls 2 lw 1, "" using "words":"learned" with lines ls 2
