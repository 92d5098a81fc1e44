# How much memory does each version need?
load "plots/style.gp"

stats run."/memory.dat" every ::1 using (words = $1, kept = $5, weights = $3, 1) nooutput
said = sprintf("At %.0f tokens the weights of a head need %.0f GB, and flash attention %.1f MB per thread", \
    words, weights / 1e9, kept / 1e6)
set title lines(said, 44)
set xlabel "tokens (one head of 64 dimensions)"
set ylabel lines("memory (bytes)", 20)
set logscale xy; set format y powers
set xrange [230:72000]; set yrange [3e2:1e11]
set xtics (256, 1024, 4096, 16384, 65536)
set label (narrow ? "weights" : "weights: naive, ordered") at 3000, 4e9 right textcolor rgb "#d55e00"
set label (narrow ? "Q, K, V, out" : "queries, keys, values, out") at 8000, 1.4e6 textcolor rgb "#555555"
set label "flash, per thread" at 300, (narrow ? 6e4 : 6e4) textcolor rgb "#0072b2"
set label "tiled" at 300, 2500 textcolor rgb "#009e73"
plot run."/memory.dat" using "words":"weights" with lines ls 2, "" using "words":"tensors" with lines ls 4, \
     "" using "words":"flash" with lines ls 1, "" using "words":"tiled" with lines ls 3
