var x: 0..3;
startstate x := 0; end;
ruleset i: 0..1 do
  rule "step" x < 3 ==>
    while x < i do
      x := x + 1;
