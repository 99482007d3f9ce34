-- Names that are not declared: each is reported once, with a suggestion only if one is close.
const NODES: 3;
type Node: 0..NODES;
     Phase: enum {idle, trying, critical};
var phase: array [Node] of Phase;
    busy: boolean;
startstate "begin"
  for n: Node do phase[n] := idle; end;
  busy := flase;
end;
ruleset n: Nodes do
  rule "try" phase[n] = idle ==> phase[n] := tryng; end;
  rule "enter" phase[n] = trying & !bussy ==> phase[n] := critical; bussy := true; end;
end;
invariant "one at a time" forall a: Node do forall b: Node do
  a != b -> !(phase[a] = X & phase[b] = X) end end;
invariant "small" nodes < 4;
