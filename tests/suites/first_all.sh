# The same as first, of every documented command, with nothing made.
LOOKBACK_EVERY_COMMAND=yes
. tests/suites/first.sh
