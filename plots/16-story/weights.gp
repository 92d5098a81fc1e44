# To which tokens does each head attend while it reads a text?
load "plots/style.gp"

k = it = she = name = 0
stats run."/links.dat" every ::1 using (k = k + 1, k == 9 ? (it = $2) : k == 29 ? (she = $3) : k == 27 ? (name = $5) : 0, 1) nooutput
said = sprintf("1.2 leads it to the ball (%.2f), 4.4 She to Lily (%.2f), 4.2 repeats (%.2f)", it, she, name)
set title found(it > 0.1 && she > 0.1 && name > 0.1, said)
stats run."/weights.dat" index 0 matrix name "w" nooutput
N = w_size_x; step = N + 7
few = ascii
head(i) = few ? int(word("8 12 26 28", i + 1)) : i
last = few ? 3 : 35; across = few ? 2 : 6
X(i) = step * (i % across); Y(i) = step * (i / across)
name(h) = sprintf("%d.%d", h / 6, h % 6)
does(h) = name(h) . ": " . (h == 8 ? "it to ball" : h == 12 ? "token before" : h == 26 ? "repeats" : "She to Lily")
set border 0; unset grid; unset tics; unset colorbox; if (ascii) set tmargin 4; set bmargin 4
set xrange [-6:X(across - 1) + N + 3]; set yrange [Y(last) + N + (ascii ? 8 : 1):-4]; set cbrange [0:0.6]
set xlabel lines("each map: a column for each key, a row for each query", 30); if (!few) set ylabel "maps in a row: heads of one layer"
set for [i = 0:last] object i + 1 rect from X(i) - 0.5, Y(i) - 0.5 to X(i) + N - 0.5, Y(i) + N - 0.5 behind fs empty border rgb "#bbbbbb" lw 1
set for [h in few ? "" : "8 12 26 28"] object 50 + h rect from X(int(h)) - 2, Y(int(h)) - 2 to X(int(h)) + N + 1, Y(int(h)) + N + 1 fs empty border rgb "#d55e00" lw 3
set for [i = 0:last] label i + 1 few ? does(head(i)) : name(head(i)) at X(i) + N - 3, Y(i) + (few ? 5 : 9) right front textcolor rgb "#404040"
plot for [i = 0:last] run."/weights.dat" index head(i) matrix using ($3 >= 0.08 ? X(i) + $1 : NaN):(Y(i) + $2):3 \
    with points pt 5 ps (ascii ? 1 : narrow ? 0.25 : 0.3) lc palette
