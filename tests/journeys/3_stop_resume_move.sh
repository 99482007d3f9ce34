#!/usr/bin/env bash
# A long run is stopped, looked at, moved to another place, and continued with other resources.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/peterson_n/peterson_n.m" .
model='peterson_n.m --const PROCESSES=6 --symmetry off'
# shellcheck disable=SC2086
try 0 spillway check $model --quiet --json whole.json

set -m  # otherwise what is started in the background ignores Ctrl-C
# shellcheck disable=SC2086
spillway check $model --run-dir long --checkpoint 0 --threads 1 >stopped.txt 2>&1 &
pid=$!
for _ in $(seq 3000); do  # until there is a checkpoint
  compgen -G 'long/manifest-*' >/dev/null && break
  kill -0 $pid 2>/dev/null || break
  sleep 0.02
done
kill -INT $pid 2>/dev/null
wait $pid
code=$?
cp stopped.txt .printed
[ $code -eq 130 ] || fail "Ctrl-C gives exit code $code, not 130"
shows 'spillway resume long'
the_end_shows INCONCLUSIVE

try 0 spillway status long
shows stopped
cp -r long elsewhere
chmod -R go-w elsewhere
try 0 spillway clean long
[ ! -e long ] || fail 'clean left the directory'

try 0 spillway fsck elsewhere
try 0 spillway resume elsewhere --threads 2 --memory 256M --json moved.json
the_end_shows VERIFIED
same_result whole.json moved.json
try 0 spillway status elsewhere
shows finished

# What is in it, after it has moved.
try 0 spillway explore elsewhere --where 'exists one: competitor do reached[one] = 3 end' --text
shows 'A shortest way to'
shows 'Step 0:'
