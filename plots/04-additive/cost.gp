# What does an additive score cost, against a dot product?
# Needs additive_score additive_scores
load "plots/style.gp"

set xlabel "n queries and n keys of 32 numbers each"
unit = ""
stats data."/cost.dat" every ::5::5 using (unit = stringcolumn(1), once = column("additive"), \
    pairs = column("pairs"), product = column("dot"), 1) nooutput
set title found(product < once && once < pairs, \
    "Shared projections save most of the work, but the dot product needs less")
set ylabel lines(unit, 30)
set logscale x 2
set logscale y
set format y powers
set xtics (4, 8, 16, 32, 64, 128)
set xrange [3.8:narrow ? 2500 : 800]
set yrange [100:1e9]
plot data."/cost.dat" using "n":"pairs" with lines ls 3, \
     "" using "n":"additive" with lines ls 1, "" using "n":"dot" with lines ls 2, \
     "" every ::5::5 using (140):"pairs":("additive, pair by pair") with labels left tc ls 3, \
     "" every ::5::5 using (140):"additive":("additive, shared") with labels left tc ls 1, \
     "" every ::5::5 using (140):(0.6 * column("dot")):("dot product") with labels left tc ls 2
