-- Three counters that only go up, and a reset where all of them are full.  Every run that resets
-- again and again goes through all levels, so its shortest lasso takes the whole state space:
-- 'F G !(x = N & y = N & z = N)' is violated by a loop of 3 N + 1 steps, and by none that is shorter.
const N: 464;
type Count: 0..N;
var x, y, z: Count;

startstate "empty" begin x := 0; y := 0; z := 0 end;

rule "x" x < N ==> begin x := x + 1 end;
rule "y" y < N ==> begin y := y + 1 end;
rule "z" z < N ==> begin z := z + 1 end;
rule "reset" x = N & y = N & z = N ==> begin x := 0; y := 0; z := 0 end;
