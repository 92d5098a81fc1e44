# The same as grade_hostile, each case by itself.
LOOKBACK_EACH_ALONE=yes
export LOOKBACK_EACH_ALONE
. tests/suites/grade_hostile.sh
