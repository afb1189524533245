#!/bin/sh
# Time, size and memory of the store with a fabric at the limit of a subnet.
set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM
echo "# store"
"${BUILD:-build}/tests/store" "$dir/bench.db"
