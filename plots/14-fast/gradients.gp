# What is the gradient of each score?
# Needs flash_attention flash_attention_backward
load "plots/style.gp"
eval signed

array total[8]
do for [i = 1:8] { total[i] = 0 }
stats data."/gradients.dat" matrix using (total[int($2) + 1] = total[int($2) + 1] + $3, abs($3)) name "d" nooutput
off = 0
do for [i = 1:8] { off = abs(total[i]) > off ? abs(total[i]) : off }
stats data."/gradients.dat" matrix using (abs($3)) name "size" nooutput
set title found(off < 1e-5, "The gradients of the scores sum to 0 in each row")
set border 0; unset grid
set cbrange [-size_max:size_max]
set cblabel "gradient of the score"
set xrange [-0.5:7.5]; set yrange [7.5:-0.5]
set xlabel "key"; set ylabel "query"
set xtics 1; set ytics 1
text(v) = v == 0 ? " " : cell(v, 2 - narrow, -size_max, size_max)
plot data."/gradients.dat" matrix with image pixels, \
     "" matrix using 1:2:(text($3)):(ink($3, -size_max, size_max)) with labels textcolor rgb variable
