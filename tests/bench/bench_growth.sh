#!/bin/sh
# Time of every reader over the length of its file.
set -u
echo "# growth of the readers"
"${BUILD:-build}/tests/growth"
