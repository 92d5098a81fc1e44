# How surprising would each token be if the model ended before a layer?
load "plots/style.gp"

array mean[7]
stats run."/lens.dat" every ::1 using (sum [b = 1:7] (mean[b] = column(b + 1), 0), 1) nooutput
said = sprintf("Mean surprise: %.0f nats before layer 0, %.1f before layer 3, %.1f at the end", mean[1], mean[4], mean[7])
set title found(mean[7] < mean[4] && mean[4] < mean[1], said)
few = narrow || ascii; from = 31; to = few ? 39 : 48 # rows of the table: tokens of our text
set border 0; unset grid; set cbrange [0:12]; set cblabel "surprise (nats)"
set xrange [-0.5:to - from + 0.5]; set yrange [-0.5:6.5]
set ytics ("layer 0" 0, "layer 1" 1, "layer 2" 2, "layer 3" 3, "layer 4" 4, "layer 5" 5, "the end" 6) scale 0
set xtics rotate by 90 right scale 0; set xlabel "the token that comes next"; set ylabel "before"
set bmargin narrow ? 5 : 6
cut(v) = few ? sprintf("%.0f", v) : sprintf(v < 9.95 ? "%.1f" : "%.0f", v)
cap(v) = v < 12 ? v : 12
plot for [b = 0:6] run."/lens.dat" every ::from::to using (ascii ? NaN : $0):(b):(0.5):(0.5):(cap(column(b + 2))) with boxxyerror fc palette, \
     for [b = 0:6] run."/lens.dat" every ::from::to using 0:(b):(cut(column(b + 2))):(ink(cap(column(b + 2)), 0, 12)):xtic(1) with labels textcolor rgb variable
