#!/bin/sh
# Stands in for common/grade/box.sh where the class is looked at, not the boxes: no code runs.
case $1 in
probe) [ -z "${STANDIN_NO_BOX:-}" ] || { echo "there can be no boxes here" >&2; exit 2; } ;;
unpack) tar -xf "$2" -C "$3" ;;
esac
