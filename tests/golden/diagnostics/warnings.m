-- Warnings have the form of errors.  A guard that is written `true` is none.
const UNUSED: 3;
var x: 0..3; lonely: boolean;
startstate x := 0; end;
rule "always" true ==> x := (x + 1) % 4; end;
rule "constant" 1 = 1 ==> x := 0; end;
rule "never" false ==> x := 1; end;
