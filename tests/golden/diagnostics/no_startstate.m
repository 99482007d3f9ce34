var x: boolean;
rule "flip" true ==> x := !x; end;
invariant "fine" x | !x;
