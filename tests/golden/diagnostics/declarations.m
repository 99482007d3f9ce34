-- What depends on a declaration with an error is not reported.
const N: 2 +;
type T: 0..N;
     R: record a: 0..; b: T; end;
     E: enum {one, two, one};
var x: T; r: R; e: E; y: array [T of boolean;
    z: 0..Missing;
function f(i: T; j: Unknown): T; begin return i + j; end;
startstate x := 0; r.a := 1; e := two; y[0] := true; z := 3; x := f(1, 2); end;
rule "r" z = 1 & f(x, x) = 0 ==> x := true; end;
