-- Errors in statements: the others of the same rule are still examined.
var x: 0..3; b: boolean;
startstate
  x = 0;
  b := ;
end;
rule "one" x < 3 ==>
  x := x + 1);
  if b then x := 2; elseif x = 1 then y := 0; end;
  whlie x > 0 do x := x - 1; end;
  switch x + b case 0: b := z; end;
end;
rule "two" x < = 2 ==> b := 3; end;
