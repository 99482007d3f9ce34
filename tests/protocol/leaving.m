-- How ranks gather, and how one that cannot go on takes the others with it (src/net/peers.h), over a network that
-- delivers each message once, in any order.
--
-- All ranks gather at the end of each of ROUNDS rounds.  Rank 0 has the parts of all, and then sends each of them the
-- answer.  A rank that fails leaves the round that comes next; who hears of it leaves that round as well.  All ranks
-- meet in a last gathering: that of the last round if nobody has left, otherwise one of an epoch of its own.
--
-- BUG leaves something out, and each must be found:
--   1 a rank that leaves does not say so
--   2 a rank leaves as soon as it hears of any later round that was left
--   3 there is no new epoch: the next gathering has the number of the one that was left
--
-- expect: verified
-- expect(BUG=1): deadlock
-- expect(BUG=2): violated "all leave the same round"
-- expect(BUG=3): violated "a gathering has what ranks have said in it"

const
  RANKS: 3;
  ROUNDS: 2;
  BUG: 0;

type
  rank: 0 .. RANKS - 1;
  round: 1 .. ROUNDS + 1;  -- the last one is in the second epoch
  phase: enum { working, waiting, met };

var
  -- messages on their way; a part says how often its rank had left when it sent it
  part: array [rank] of array [round] of 0 .. 2;  -- from; 0: none, 1: before, 2: after
  answer: array [rank] of array [round] of boolean;
  left: array [rank] of array [round] of boolean;

  -- what a rank knows
  current: array [rank] of round;
  at: array [rank] of phase;
  gone: array [rank] of 0 .. ROUNDS;              -- the round that it has left
  has: array [rank] of array [round] of 0 .. 2;   -- parts that rank 0 has
  heard: array [rank] of array [round] of boolean;
  answered: array [rank] of array [round] of boolean;

  mixed: boolean;
  rested: boolean;  -- changes at the end, which is not a deadlock

procedure leave(i: rank);
begin
  if BUG != 1 then
    for j: rank do if j != i then left[j][current[i]] := true end end;
  end;
  gone[i] := current[i];
  if BUG != 3 then current[i] := ROUNDS + 1 end;
  at[i] := working;
end;

startstate "all begin"
begin
  clear part; clear answer; clear left;
  for i: rank do current[i] := 1; at[i] := working end;
  clear gone; clear has; clear heard; clear answered;
  mixed := false; rested := false;
end;

ruleset i: rank do
  rule "fail" at[i] = working & gone[i] = 0 ==> begin leave(i) end;

  rule "gather" at[i] = working ==>
  begin
    at[i] := waiting;
    if i = 0 then
      has[0][current[0]] := (gone[0] = 0 ? 1 : 2);
    else
      part[i][current[i]] := (gone[i] = 0 ? 1 : 2);
    end;
  end;

  rule "leave with another rank"
    at[i] != met & gone[i] = 0 & (heard[i][current[i]] | (BUG = 2 & exists r: round do r > current[i] & heard[i][r] end))
  ==> begin leave(i) end;

  rule "the answer is there" at[i] = waiting & i != 0 & answered[i][current[i]] ==>
  begin
    if current[i] >= ROUNDS then
      at[i] := met;
    else
      current[i] := current[i] + 1;
      at[i] := working;
    end;
  end;

  ruleset r: round do
    rule "a part arrives" part[i][r] != 0 ==> begin has[i][r] := part[i][r]; part[i][r] := 0 end;
    rule "an answer arrives" answer[i][r] ==> begin answer[i][r] := false; answered[i][r] := true end;
    rule "it arrives that a round was left" left[i][r] ==> begin left[i][r] := false; heard[i][r] := true end;
  end;
end;

rule "rank 0 has all parts"
  at[0] = waiting & forall i: rank do has[i][current[0]] != 0 end
==>
begin
  for i: rank do
    if has[i][current[0]] != has[0][current[0]] then mixed := true end;
    if i != 0 then answer[i][current[0]] := true end;
  end;
  if current[0] >= ROUNDS then
    at[0] := met;
  else
    current[0] := current[0] + 1;
    at[0] := working;
  end;
end;

rule "rest at the end" forall i: rank do at[i] = met end ==> begin rested := !rested end;

invariant "all leave the same round"
  forall i: rank do forall j: rank do gone[i] != 0 & gone[j] != 0 -> gone[i] = gone[j] end end;

invariant "a gathering has what ranks have said in it" !mixed;

invariant "all meet in the same epoch"
  forall i: rank do forall j: rank do at[i] = met & at[j] = met -> current[i] = current[j] end end;

liveness "all meet" forall i: rank do at[i] = met end;
