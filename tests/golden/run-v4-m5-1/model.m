-- Rows of 1 words: x has 9 bits, and each number of the array 17.
var x: 0 .. 400;
    trail: array [1 .. 3] of 0 .. 100000;
startstate
  x := 0;
  for i: 1 .. 3 do trail[i] := 0; end;
end;
rule "up" x < 400 ==>
  x := x + 1;
  trail[1 + (x * 7) % 3] := x * 229;
end;
invariant "bounded" x < 300;
