# The same as grade_calls, of every lesson.
LOOKBACK_EVERY_LESSON=yes
. tests/suites/grade_calls.sh
