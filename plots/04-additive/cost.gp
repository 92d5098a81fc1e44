# What does an additive score cost, against a dot product?
load "plots/style.gp"

set title "Letting W meet each word once pays off, but the dot product stays cheaper"
set xlabel "n queries and n keys of 32 numbers each (dimensionless)"
unit = ""
stats data."/cost.dat" using (unit = stringcolumn(1), 1) nooutput
set ylabel unit
set logscale x 2
set logscale y
set format y powers
set xtics (4, 8, 16, 32, 64, 128)
set xrange [3.8:800]
set yrange [100:1e9]
kept(n, a, b) = sprintf("kept for the way back at n = %d: %d numbers (dot: %d)", n, a, b)
plot data."/cost.dat" using "n":"pairs" with lines ls 3, \
     "" using "n":"additive" with lines ls 1, "" using "n":"dot" with lines ls 2, \
     "" every ::5::5 using (140):"pairs":("additive, once for each pair") with labels left, \
     "" every ::5::5 using (140):"additive":("additive, once for each word") with labels left, \
     "" every ::5::5 using (140):"dot":("dot product") with labels left, \
     "" every ::5::5 using (8):(300):(kept(column("n"), column("additivekept"), \
         column("dotkept"))) with labels left
