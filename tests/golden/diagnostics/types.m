-- Several errors in one condition, and in the arguments of one call.
type Colour: enum {red, green};
     Pair: record left: 0..3; right: Colour; end;
var p: Pair; c: Colour; n: 0..3; b: boolean;
procedure set(i: 0..3; k: Colour); begin n := i; c := k; end;
startstate p.left := 0; p.right := red; n := 0; b := true; c := green; end;
rule "r" n = red & p = c & b = 1 ==> set(c, n); p.rihgt := red; n[1] := 2; end;
invariant "shape" p.left & (b | n);
