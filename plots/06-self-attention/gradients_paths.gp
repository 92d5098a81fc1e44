# Along which paths does the gradient of one output reach the words?
# Needs project project_backward self_attention self_attention_backward
load "plots/style.gp"

set title lines("Three paths lead to the words, and here they have opposite signs", 44)
set xlabel lines('word (the loss depends only on the output of "it")', 50)
set ylabel lines("change of the loss as the vector grows", 26)
set yrange [-0.5:1.4]
set boxwidth 0.26
set key top left horizontal samplen 1 maxrows (narrow ? 2 : 1)
plot data."/gradients_paths.dat" using ($0 - 0.26):"q" with boxes fc rgb "#e69f00" title "query", \
     "" using 0:"k":xtic(1) with boxes fc rgb "#c4e4f5" title "key", \
     "" using ($0 + 0.26):"v" with boxes fc rgb "#004c78" title "value", \
     0 with lines lc rgb "#777777" notitle, \
     "" using 0:"together" with points pt 7 ps 1.6 lc rgb "#ffffff" notitle, \
     "" using 0:"together" with points pt 6 ps 2 lw 2 lc rgb "#000000" title "sum"
