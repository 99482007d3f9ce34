var x: 0 .. 400;
startstate x := 0; end;
rule "up" x < 400 ==> x := x + 1; end;
invariant "bounded" x < 300;
