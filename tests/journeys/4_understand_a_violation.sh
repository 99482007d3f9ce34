#!/usr/bin/env bash
# A violation is looked at without a second search: less of it, all of it, and in forms that others can read.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/german/german.m" .
sed -i '/^  & forall each: node do !may_have_copy/d' german.m  # writing is granted although others have copies
try 12 spillway check german.m --run-dir run --json bug.json --report bug.html
shows 'Rule "node asks to write"'
shows 'In this state: one:node_1, other:node_2, the condition at line 196'
shows '~^~'  # below the condition that is false
the_end_shows 'VIOLATED  german.m  invariant "a node that can write is alone" at depth 8 (shortest)'
holds bug.html '<!doctype html>' 'node asks to write'
! grep -qE '(src|href)="https?://' bug.html || fail 'the page loads something'

try 0 spillway trace run
cp .printed whole.txt
shows 'has[node_1]'
try 0 spillway trace bug.json
cmp -s .printed whole.txt || fail 'the run directory and the result have different traces'
try 0 spillway trace run --only 'has*'
shows 'has[node_1]'
lacks 'memory:'
try 0 spillway trace run --hide 'has*'
lacks 'has['
shows 'memory:'
try 0 spillway trace run --full
[ "$(grep -c 'memory:' .printed)" -gt "$(grep -c 'memory:' whole.txt)" ] || fail '--full does not show all states'

try 0 spillway trace run --html --output trace.html
holds trace.html '<!doctype html>' 'node asks to write'
try 0 spillway trace run --sequence=mermaid --output trace.mmd
holds trace.mmd sequenceDiagram 'node asks to write'
try 0 spillway trace run --sequence=svg --output trace.svg
holds trace.svg '<svg' '</svg>'
try 0 spillway trace run --itf --output trace.itf.json
holds trace.itf.json '"format": "ITF"' '"states"' 'node asks to write'
try 0 spillway trace run --vcd --output trace.vcd
holds trace.vcd '$enddefinitions' '#1'
