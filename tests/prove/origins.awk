# How many known mistakes have a link above them, to where somebody really made them.
/^# from https:/ { real = 1 }
/^(slip|way) / {
    slips += $1 == "slip"
    found += $1 == "slip" && real
    real = 0
}
END { printf "%d of %d known mistakes come with a link to a real one\n", found, slips }
