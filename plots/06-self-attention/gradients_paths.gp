# Along which paths does the gradient of one output reach the words?
# Needs project project_backward self_attention self_attention_backward
load "plots/style.gp"

set title lines("Keys and values carry the gradient to every word, queries only to 'it'", 44)
set xlabel lines('three words (the loss depends only on the output of "it")', 44)
set ylabel lines("change of the loss as the vector grows", 26)
set xrange [-0.5:2.5]; set yrange [-0.4:narrow ? 1.1 : 0.9]
set xtics ("cat" 0, "it" 1, "tired" 2)
set boxwidth 0.2
set key top left horizontal samplen 1 maxrows (narrow ? 2 : 1)
at = 'strcol(1) eq "cat" ? 0 : strcol(1) eq "it" ? 1 : strcol(1) eq "tired" ? 2 : NaN'
plot data."/gradients_paths.dat" using ((@at) - 0.22):"q" with boxes fc rgb "#d55e00" title "query", \
     "" using (@at):"k" with boxes fc rgb "#8cc9ea" title "key", \
     "" using ((@at) + 0.22):"v" with boxes fc rgb "#004c78" title "value", \
     0 with lines lc rgb "#777777" notitle, \
     "" using ((@at) + 0.42):"together" with points pt 6 ps 2 lw 2 lc rgb "#000000" title "sum"
