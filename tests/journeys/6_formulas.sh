#!/usr/bin/env bash
# A protocol in DVE and what its runs must do: a formula that holds, also where memory does not suffice, and one that does
# not, with a run that goes round a loop.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/sliding_window/sliding_window.dve" .
mkdir disk
model='sliding_window.dve --const WINDOW=3 --const NUMBERS=4 --const FRAMES=40'
file window.ltl <<'END'
# Whatever arrives is looked at and answered.
answered: G (Receiver.looks -> F Receiver.answers)
END

# shellcheck disable=SC2086
try 0 spillway check $model --ltl-file window.ltl --fair=processes --json fits.json
shows "runs: a run that ends repeats its last state for ever; runs are weakly fair to 'processes'"
shows 'searching for a run that violates answered'
shows 'with "answered": 476,577 states'
the_end_shows 'VERIFIED  sliding_window.dve FRAMES=40 NUMBERS=4 WINDOW=3 --fair=processes'

# shellcheck disable=SC2086
try 0 spillway check $model --ltl-file window.ltl --fair=processes --memory 16M --disk disk --json spilled.json
shows 'memory is full'
the_end_shows VERIFIED
same_result fits.json spilled.json
[ -z "$(ls disk)" ] || fail 'files were left on the disk of a search that is complete'

try 13 spillway check sliding_window.dve --ltl 'delivered: F Receiver.expected == FRAMES' --json lasso.json
shows 'Counterexample for ltl "delivered", 0 steps and a loop of 2:'
shows 'Back to step 0: the steps after it repeat for ever.'
shows "This leaves such runs out: --fair 'Sender: sends -> sends on frames!'"
the_end_shows 'VIOLATED  sliding_window.dve  ltl "delivered": a loop of 2 steps at depth 0'
try 0 spillway trace lasso.json --itf --output lasso.itf.json
holds lasso.itf.json '"loop": 0'

try 150 spillway check sliding_window.dve --ltl 'G (Receiver.looks ->'
shows "error: '(' without ')'"
try 0 spillway ltl 'G (looks -> F answers)' --negate
shows '2 states'
