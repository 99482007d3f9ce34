# shellcheck shell=bash
# For the journeys beside this file: what a user does with `spillway` from PATH, in a fresh directory.
# Each command of the user goes through `try`, which keeps what was printed and how it ended.
set -uo pipefail

EXAMPLES=${EXAMPLES:-/usr/share/doc/spillway/examples}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  [ ! -e "$WORK/.printed" ] || cat "$WORK/.printed" >&2
  exit 1
}

# try CODE COMMAND...: the command must end with this exit code.
try() {
  local expected=$1 code
  shift
  printf '$ %s\n' "$*"
  "$@" >"$WORK/.printed" 2>&1
  code=$?
  [ "$code" -eq "$expected" ] || fail "'$*' ended with $code, not $expected"
}

# shows TEXT: the last command printed it.
shows() { grep -qF -- "$1" "$WORK/.printed" || fail "'$1' was not printed"; }

# the_end_shows TEXT: it is in the last line that the last command printed.
the_end_shows() { tail -n 1 "$WORK/.printed" | grep -qF -- "$1" || fail "the last line does not say '$1'"; }

# member NAME FILE: a string or number on the first level of a JSON result.
member() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2"; }

# same_result FILE FILE: both results are of the same search.
same_result() {
  local name
  for name in verdict states transitions depth digest; do
    [ -n "$(member $name "$1")" ] || fail "$1 has no $name"
    [ "$(member $name "$1")" = "$(member $name "$2")" ] || fail "$name differs in $1 and $2"
  done
}

# lacks TEXT: the last command did not print it.
lacks() { ! grep -qF -- "$1" "$WORK/.printed" || fail "'$1' was printed"; }

# file NAME: writes it, from the standard input.
file() { cat >"$1"; }

# holds FILE TEXT...: the file has every text in it.
holds() {
  local name=$1 text
  shift
  for text in "$@"; do grep -qF -- "$text" "$name" || fail "$name lacks '$text'"; done
}
