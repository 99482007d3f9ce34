-- Numbers near their ends.
const LARGE: 9223372036854775807;
var x: 0 .. LARGE; y: 1 - LARGE .. 1; z: 0 .. 3;
startstate x := LARGE; y := 1 - LARGE; z := 0; end;
rule "up" x := x - 1 + z; end;
rule "down" y := y + 1; z := (x % 4 + y % 4 + 4) % 4; end;
rule "shift" z := (x >> 62) & 1; x := 1 << 61; end;
rule "over" x := x + 1; end;
rule "loop" for i := LARGE - 1 to LARGE do z := 1; end; for i := 2 - LARGE to 1 - LARGE by -1 do z := 2; end; end;
invariant "ordered" y < x | ((x / 2) ^ 1) < LARGE;
