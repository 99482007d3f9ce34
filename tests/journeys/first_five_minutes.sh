#!/usr/bin/env bash
# A protocol engineer has installed Spillway, checks a model that is right, and one that is not.
. "$(dirname "$0")/steps.sh"

try 0 spillway --version
shows 'spillway '
try 0 spillway --help
shows 'spillway check'

cp "$EXAMPLES/german/german.m" "$EXAMPLES/msi/msi.m" .
try 0 spillway check german.m --const NODES=4
shows '26,015 states'
the_end_shows VERIFIED
the_end_shows german.m
the_end_shows NODES=4

try 12 spillway check msi.m
shows 'a copy is what was written last'
shows 'asks for the line to read it'
the_end_shows VIOLATED
try 0 spillway explain 12
try 0 spillway check msi.m --const BUG=0
the_end_shows VERIFIED
try 0 spillway lint msi.m
