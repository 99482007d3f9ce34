#!/usr/bin/env bash
# The model needs more than the memory that it may have, and then more than the disk space.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/ring_election/ring_election.m" .
mkdir disk
try 0 spillway check ring_election.m --const NODES=6 --json fits.json

try 0 spillway check ring_election.m --const NODES=6 --memory 16M --disk disk --json spilled.json
shows 'memory is full'
the_end_shows VERIFIED
same_result fits.json spilled.json
[ -z "$(ls disk)" ] || fail 'files were left on the disk of a search that is complete'

try 21 spillway check ring_election.m --const NODES=6 --memory 16M --disk disk --run-dir run --disk-limit 1M
shows 'spillway resume run'
the_end_shows INCONCLUSIVE
try 0 spillway resume run --disk-limit 2G --json resumed.json
the_end_shows VERIFIED
same_result fits.json resumed.json
