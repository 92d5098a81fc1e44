#!/bin/sh
# format.sh [check]: lays out the C files as .clang-format says, or only checks whether they are laid out so. Versions of
# clang-format differ in details, so it has to be this one.
set -u
version=14

has_version() { # PROGRAM
    "$1" --version 2>/dev/null | grep -q "version $version\."
}
format=clang-format-$version
has_version $format || format=clang-format
if ! has_version $format; then
    echo "This takes clang-format $version. On Debian or Ubuntu: apt install clang-format-$version" >&2
    exit 2
fi
how=-i
[ "${1:-}" != check ] || how="--dry-run -Werror"
$format $how common/*/*.[ch] common/*/*/*.[ch] solutions/*/*.c lessons/*/*.h lessons/*/milestone.c \
    lessons/*/milestone/*.[ch] lessons/*/milestone/*/*.[ch] tests/*.h tests/*/*.[ch] plots/*.h plots/*/*.c
