# How many of 32,000 tokens does top-p keep at each position?
load "plots/style.gp"

few = most = 0
stats run."/kept.dat" every ::1 using (few = few + ($3 <= 3), most = $3 > most ? $3 : most, 1) nooutput
said = sprintf("For p = .9, 3 tokens or fewer are enough at %d of 48 positions, and %d at one", few, most)
set title found(most > 3, said)
set xlabel "position in our text"
set ylabel lines("tokens that are kept", 22)
set boxwidth 0.8; set logscale y; set yrange [0.7:2000]; set xrange [-1:narrow ? 62 : 57]; set xtics 10
name(p, y) = sprintf("p = %s", p)
set label name(".99", 0) at 48, 6 textcolor rgb "#009e73"
set label name(".9", 0) at 48, 1.9 textcolor rgb "#d55e00"
set label name(".5", 0) at 48, 1 textcolor rgb "#0072b2"
plot run."/kept.dat" every ::1 using 0:4 with points pt 6 lw 2 lc rgb "#009e73", "" every ::1 using 0:3 with boxes lc rgb "#d55e00", \
     "" every ::1 using 0:2 with lines ls 1
