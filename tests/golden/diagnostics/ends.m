-- The 'if' has no 'end', so it takes that of the rule.
var x: 0..3;
startstate x := 0; end;
rule "first" x < 3 ==>
  if x = 1 then
    x := 2;
  x := x + 1;
end;
rule "second" x = 3 ==>
  x := zero;
end;
