# Does the vector of a word with two meanings depend on the topic of its sentence?
load "plots/style.gp"

# Columns 4 to 6: positions on the line through both topics, before the blocks and after each block.
file = run."/bank.dat"
stats file using (($6 > 0.5) != $3) name "wrong" nooutput
set multiplot layout 3, 1 title found(wrong_mean < 0.02, \
    "Blocks separate the meanings of each word")
set lmargin at screen 0.14; set rmargin at screen narrow || ascii ? 0.97 : 0.78
set xrange [-0.25:1.25]; set yrange [3.6:-0.6]
set ytics ("bank" 0, "current" 1, "deposit" 2, "pool" 3)
set label 2 (ascii ? "G: " : "")."about water" at -0.22, 0 textcolor rgb "#0072b2"
set label 3 (ascii ? "H: " : "")."about money" at 1.22, 0 right textcolor rgb "#d55e00"
place(k, topic) = $3 == topic ? column(k) : 1/0
low(i) = narrow ? 0.64 - 0.27 * i : 0.68 - 0.29 * i
do for [i = 0:2] {
    set bmargin at screen low(i); set tmargin at screen low(i) + (narrow ? 0.17 : 0.22)
    where = i == 0 ? "before block 1" : "after block " . i
    set label 1 where at graph (narrow || ascii ? 0.36 : 1.02), graph (narrow || ascii ? 1.12 : 0.5)
    set xtics (i < 2 ? "" : "mean of water nouns" 0, i < 2 ? "" : "mean of money nouns" 1)
    plot file every 5 using (place(i + 4, 0)):($2 - 0.3 * rand(0)) with points pt 7 ps 0.7 lc rgb "#0072b2", \
        "" every 5 using (place(i + 4, 1)):($2 + 0.3 * rand(0)) with points pt 8 ps 0.9 lc rgb "#d55e00"
    unset label 2; unset label 3
}
unset multiplot
