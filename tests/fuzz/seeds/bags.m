-- Unions, multisets and two scalarsets.
type P: scalarset(3); D: scalarset(2); Home: enum {home}; U: union {P, Home};
  M: record from: U; data: D; end;
var net: multiset [3] of M; owner: array [D] of U; seen: array [P] of array [D] of boolean;
startstate
  undefine net;
  for d: D do owner[d] := home; for p: P do seen[p][d] := false; end; end;
end;
ruleset p: P; d: D do
  rule "send" multisetcount(i: net, true) < 3 ==>
    var m: M; begin m.from := p; m.data := d; multisetadd(m, net); end;
end;
choose i: net do
  rule "receive"
    alias m: net[i] do
      if ismember(m.from, P) then seen[m.from][m.data] := true; owner[m.data] := m.from; end;
    end;
    multisetremove(i, net);
  end;
end;
rule "forget" multisetremovepred(i: net, net[i].from = home); undefine seen; end;
invariant "known" forall d: D do isundefined(owner[d]) | owner[d] = home | ismember(owner[d], P) end;
cover "full" multisetcount(i: net, net[i].from != home) = 3;
