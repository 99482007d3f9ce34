-- What is no word of Murphi, among comments with any characters: größer, 状態.
var größe: 0..3; x: 0..99999999999999999999;
startstate x := 1é; end;
rule "naïve x < 3 ==> x := 0; end;
rule "fine" x ≤ 3 ==> x := x @ 1; end;
