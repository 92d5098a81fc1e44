# How much of the gradient reaches the first word of the sentence?
load "plots/style.gp"

at_40(k) = column(1) == 40 ? column(k) : 1/0
stats run."/distance.dat" using (at_40(4)) name "vector" nooutput
stats run."/distance.dat" using (at_40(5)) name "looking" nooutput
found = "At initialization, 40 words: " . \
    number(1000 * int(looking_max / vector_max / 1000 + 0.5), 0) . " times as much with attention"
set title lines(found, 44)
set xlabel "words in the source"
set ylabel "gradient at the first word"
set logscale y
set format y powers
set xrange [2:58]; set yrange [1e-8:10]
up = ascii ? 1 : 0.7 # trained, the two may end as close as that
set label "for a gradient of length 1 at the logits" at 3, 3
end(k) = strcol(k) eq "nan" ? 1e9 : real(strcol(k)) # no network, no number
plot run."/distance.dat" using "length":"attention" with lines ls 1, \
     "" using "length":"fixed" with lines ls 2, \
     "" using "length":"new_attention" with lines ls 1 lw 1, \
     "" using "length":"new_fixed" with lines ls 2 lw 1, \
     "" every ::17::17 using (42):(end(3)):("attention, trained") with labels left tc ls 1 offset 0, up, \
     "" every ::17::17 using (42):(end(2)):("one vector, trained") with labels left tc ls 2, \
     "" every ::17::17 using (42):(end(5)):("attention, at init.") with labels left tc ls 1 offset 0, -0.4, \
     "" every ::14::14 using (28):(end(4)):("one vector, at init.") with labels left tc ls 2
