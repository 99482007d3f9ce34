#!/usr/bin/env bash
# How large will it be?  The model needs more than the memory that it may have, and then more than the disk space.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/ring_election/ring_election.m" .
mkdir disk
try 0 spillway check ring_election.m --const NODES=6 --json fits.json

try 0 spillway estimate ring_election.m --const NODES=4
shows 'These are all states.'
the_end_shows 'Run it with: spillway check ring_election.m --const=NODES=4'
try 20 spillway estimate ring_election.m --const NODES=9 --for 1s --memory 1G
shows 'It is too early to tell'
the_end_shows 'Run it with: spillway check ring_election.m'

try 0 spillway check ring_election.m --const NODES=6 --memory 16M --disk disk --json spilled.json
shows 'memory is full'
the_end_shows VERIFIED
same_result fits.json spilled.json
[ -z "$(ls disk)" ] || fail 'files were left on the disk of a search that is complete'

try 21 spillway check ring_election.m --const NODES=6 --memory 16M --disk disk --run-dir run --checkpoint 0 --disk-limit 4M
shows 'spillway resume run'
the_end_shows INCONCLUSIVE
try 0 spillway resume run --disk-limit 2G --json resumed.json
shows 'resuming from checkpoint'
the_end_shows VERIFIED
same_result fits.json resumed.json
