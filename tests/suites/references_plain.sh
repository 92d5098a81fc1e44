# Every reference passes without sanitizers; in references two do, and under sanitizers all.
. common/make/lib.sh
plain=$LOOKBACK_LESSONS
. tests/suites/references.sh
