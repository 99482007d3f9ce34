#!/usr/bin/env bash
# A manifest with a lane for every change and one for the night: what is expected passes, what is not fails, and what
# runs out of time is neither, and continues.
. "$(dirname "$0")/steps.sh"

cp "$EXAMPLES/msi/msi.m" .
file counter.m <<'END'
var x: 0..400000;
startstate x := 0; end;
rule "count" x < 400000 ==> x := x + 1; end;
END
file spillway.toml <<'END'
[[case]]
model = "msi.m"
const = {BUG = 0}
expect = "verified"
states = 8
timeout = "5m"
lane = "pr"

[[case]]
name = "msi with its bug"
model = "msi.m"
expect = "violated:a copy is what was written last"
lane = "pr"

[[case]]
model = "counter.m"
expect = "verified"
states = 400001
timeout = "0.5s"
options = ["--deadlock=off", "--interpret", "--threads=1"]
lane = "nightly"
END
try 0 spillway test spillway.toml --lane pr --junit junit.xml --markdown summary.md --events cases.ndjson --reports pages
shows 'msi with its bug'
the_end_shows '2 cases: 2 passed'
holds junit.xml 'tests="2"' 'failures="0"' 'msi with its bug'
holds summary.md 'msi with its bug'
[ "$(wc -l <cases.ndjson)" -ge 2 ] || fail 'cases.ndjson lacks cases'
[ "$(find pages -name '*.html' | wc -l)" -eq 2 ] || fail 'there is not a page about each case'

# A change of the model changes its states, and breaks what was expected.
sed -i 's/^states = 8$/states = 9/' spillway.toml
try 1 spillway test spillway.toml --lane pr --junit junit.xml
shows '8 states'
the_end_shows '2 cases: 1 passed, 1 failed'
holds junit.xml 'failures="1"'

# The night is too short.  The next one has more time, and continues.
try 20 spillway test spillway.toml --lane nightly --junit junit.xml
shows inconclusive
shows 'the next time it continues from .spillway-runs/'
lacks passed
holds junit.xml 'tests="1"' 'errors="1"'
run=$(echo .spillway-runs/*)
try 0 spillway status "$run"
shows 'stopped'
sed -i 's/^timeout = "0.5s"$/timeout = "10m"/' spillway.toml
try 0 spillway test spillway.toml --lane nightly --reports pages
the_end_shows '1 case: 1 passed'
holds pages/counter.m.html '"spillway","resume"'
[ ! -e "$run" ] || fail 'a run that is complete is still there'
