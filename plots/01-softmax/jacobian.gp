# When one score rises, how do the weights change?
# Needs softmax softmax_jacobian
load "plots/style.gp"

eval signed
set title lines("A higher score raises its own weight and lowers the others", 44)
set xlabel "the score that is raised"
set ylabel "the weight that changes"
set cblabel "derivative of the weight"
set cbrange [-0.25:0.25]
set yrange [] reverse
set border 0
unset grid
plot data."/jacobian.dat" matrix rowheaders columnheaders with image pixels, \
     "" matrix rowheaders columnheaders \
     using 1:2:(cell($3, 4, -0.25, 0.25)):(ink($3, -0.25, 0.25)) with labels textcolor rgb variable
