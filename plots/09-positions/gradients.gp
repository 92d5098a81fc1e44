# Which rows of a learned table of positions get a gradient in training?
load "plots/style.gp"

stats run."/gradients.dat" using "mirror" name "mirror" nooutput
stats run."/gradients.dat" every ::20 using "before" name "beyond" nooutput
stats run."/gradients.dat" using "before" name "before" nooutput
most = mirror_max > before_max ? mirror_max : before_max
nothing = most > 0 && beyond_max == 0
set title found(nothing, "Rows of positions that do not occur in training get no gradient")
set xlabel "row of the table (position of a word)"
set ylabel lines("mean length of the gradient of the row", 26)
set xrange [-1:60]
set yrange [0:1.2 * most + 1e-9]
set label lines("mirror, inputs of 12 words", 20) at 13, 0.8 * most textcolor rgb "#d55e00"
set label lines("before, inputs of 20 words", 20) at 21, 0.4 * most textcolor rgb "#0072b2"
set label nothing ? "exactly 0 from row 20 on" : "" at 22, 0.07 * most
plot run."/gradients.dat" using "position":"before" with histeps ls 1, \
     "" using "position":"mirror" with histeps ls 2
