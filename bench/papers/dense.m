-- A stand-in for the model `dense` of Bao and Jones 2005: nearly every successor is a duplicate.
--
-- LAYERS layers of SIDE^3 places. A step leads to the next layer and moves along one of three
-- axes, so a state has 3*SIDE successors and, past the first layers, as many predecessors (the
-- place itself is met three times). All duplicates lie in the same layer: locality is perfect, and
-- levels are many and narrow.
const
  LAYERS: 480;
  SIDE: 16;

type
  Layer: 0..LAYERS - 1;
  Place: 0..SIDE - 1;
  Axis: 0..2;

var
  layer: Layer;
  place: array [Axis] of Place;

startstate "first"
begin
  layer := 0;
  for a: Axis do place[a] := 0; end;
end;

ruleset a: Axis; p: Place do
  rule "move"
    layer < LAYERS - 1
  ==>
  begin
    layer := layer + 1;
    place[a] := p;
  end;
end;

rule "stay in the last layer"
  layer = LAYERS - 1
==>
begin
end;

invariant "there are places"
  place[0] < SIDE;
