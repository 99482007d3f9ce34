-- Rows of 2 words: x has 9 bits, and each number of the array 17.
var x: 0 .. 400;
    trail: array [1 .. 7] of 0 .. 100000;
startstate
  x := 0;
  for i: 1 .. 7 do trail[i] := 0; end;
end;
rule "up" x < 400 ==>
  x := x + 1;
  trail[1 + (x * 7) % 7] := x * 229;
end;
invariant "bounded" x < 300;
