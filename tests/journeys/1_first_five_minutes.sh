#!/usr/bin/env bash
# A protocol engineer has installed Spillway, mistypes, checks a model that is right, one that is not, and one in which
# nothing happens.
. "$(dirname "$0")/steps.sh"

try 0 spillway --version
shows 'spillway '
try 0 spillway --help
shows 'spillway check'

cp "$EXAMPLES/german/german.m" "$EXAMPLES/msi/msi.m" .
try 2 spillway chekc german.m
shows "did you mean 'check'?"
try 150 spillway check germn.m
shows 'did you mean german.m?'
try 2 spillway check german.m --const NODE_NUM=4
shows "the model has no constant 'NODE_NUM'"

try 0 spillway check german.m --const NODES=4
shows '87 bits per state, exhaustive symmetry'
shows '26,015 states'
shows '5 properties: all hold'
the_end_shows 'VERIFIED  german.m NODES=4  (exhaustive, exact)'

try 12 spillway check msi.m
shows 'Counterexample for invariant "a copy is what was written last", 4 steps:'
shows 'asks for the line to read it'
the_end_shows 'VIOLATED  msi.m  invariant "a copy is what was written last" at depth 4 (shortest)'
try 0 spillway explain 12
shows "VIOLATED: an invariant is false"
try 0 spillway check msi.m --const BUG=0
the_end_shows 'VERIFIED  msi.m BUG=0'
try 0 spillway lint msi.m

file idle.m <<'END'
var x: 0..3;
startstate x := 0; end;
rule "turn" x < 2 ==> x := 1 - x; end;
rule "jump" x = 3 ==> x := 0; end;
invariant "small" x = 3 -> false;
END
try 0 spillway check idle.m
shows '1 of 2 rules never fired: "jump" (line 4)'
shows '1 of 1 antecedent in invariants never held: "small" (line 5)'
the_end_shows VERIFIED
try 30 spillway check idle.m --fail-on-dead-rules
