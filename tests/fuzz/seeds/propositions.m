const N: 3;
type E: enum {waiting, critical}; S: scalarset(2);
var x: 0..9; b: boolean; e: E; s: array [S] of E; a: array [0..N] of 0..9;
function low(n: 0..9): boolean; begin return n < N; end;
startstate x := 2; b := true; e := critical; for i: S do s[i] := waiting; end; a[1] := 7; end
rule x < 5 ==> x := x + 1; end
@forall i: S do s[i] = waiting end & low(x)
@a[x - 1] = 7 | exists i: 0..N do isundefined(a[i]) end
@(x = 3 ? b : e = critical)
