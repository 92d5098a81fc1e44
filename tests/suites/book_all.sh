# The whole book, each of its pages in Chromium, wide and narrow: `make test` leaves it out, SUITES=book
# proves two lessons. Pictures of long runs keep their places.
. common/make/lib.sh
lessons=$LOOKBACK_LESSONS
pages=
for page in index start course syllabus glossary references teaching contributing $(echo "$lessons" | sed 's/-[^ ]*//g'); do
    pages="$pages $page.html:400 $page.html:1280"
done
suite=book_all
. tests/suites/book.sh
