-- How several ranks make checkpoints together (src/check/journal.h).  Each has a disk of its own; what one rank does to
-- make its part durable is in checkpoint.m and is one step here.
--
-- All ranks are killed at any time.  When they are started again, they resume from the newest checkpoint that all have.
--
-- BUG leaves something out, and each must be found:
--   1 a rank does not wait until all have written their part, before it records the new checkpoint
--   2 ranks do not agree on the number of a checkpoint
--   3 each rank resumes from its own newest checkpoint
--   4 a rank does not wait, does not keep the checkpoint before, and records nothing
--   5 all resume from the oldest of their newest checkpoints, which is not always one that all have
--
-- expect: verified
-- expect(BUG=1): violated "all ranks have what one has recorded"
-- expect(BUG=2): violated "all ranks resume from the same level"
-- expect(BUG=3): violated "all ranks resume from the same level"
-- expect(BUG=4): violated "what all ranks had written is not lost"
-- expect(BUG=5): violated "all ranks resume from the same level"

const
  RANKS: 3;
  GENERATIONS: 4;
  LEVELS: 4;
  BUG: 0;

type
  rank: 0 .. RANKS - 1;
  generation: 0 .. GENERATIONS;  -- 0: none
  phase: enum { working, writing, written, passed, down };

var
  -- on disk: the level that a checkpoint was made in; 0: there is no such checkpoint
  kept: array [rank] of array [generation] of 0 .. LEVELS;
  recorded: array [rank] of generation;  -- the newest one

  at: array [rank] of phase;
  committed: array [rank] of generation;
  next: array [rank] of 1 .. GENERATIONS + 1;
  making: array [rank] of generation;
  level: array [rank] of 0 .. LEVELS;

  complete: 0 .. LEVELS;  -- the level of the newest checkpoint that all have written
  lost, missing: boolean;
  rested: boolean;  -- changes at the end, which is not a deadlock

function newest(i: rank): generation;
var n: generation;
begin
  n := 0;
  for g: generation do if g > 0 & kept[i][g] != 0 then n := g end end;
  return n;
end;

startstate "nothing kept"
begin
  clear kept; clear recorded;
  for i: rank do at[i] := working; next[i] := 1; level[i] := 1 end;
  clear committed; clear making;
  complete := 0; lost := false; missing := false; rested := false;
end;

rule "a level is complete"
  forall i: rank do at[i] = working & level[i] < LEVELS end
==>
begin
  for i: rank do level[i] := level[i] + 1 end;
end;

rule "a checkpoint is due"
  forall i: rank do at[i] = working & next[i] <= GENERATIONS end
==>
var number: 1 .. GENERATIONS;
begin
  number := 1;
  for i: rank do if next[i] > number then number := next[i] end end;
  for i: rank do
    making[i] := (BUG = 2 ? next[i] : number);
    next[i] := making[i] + 1;
    at[i] := writing;
  end;
end;

ruleset i: rank do
  rule "write a part" at[i] = writing ==>
  begin
    kept[i][making[i]] := level[i];
    at[i] := written;
    if forall j: rank do at[j] = written | at[j] = passed end then complete := level[i] end;
  end;

  rule "record it and remove older ones"
    at[i] = written & (BUG = 1 | BUG = 4 | forall j: rank do at[j] = written | at[j] = passed end)
  ==>
  begin
    for g: generation do
      if g != making[i] & (g != committed[i] | BUG = 4) then kept[i][g] := 0 end;
    end;
    committed[i] := making[i];
    if BUG != 4 then recorded[i] := making[i] end;
    at[i] := passed;
  end;
end;

rule "go on" forall i: rank do at[i] = passed end ==> begin for i: rank do at[i] := working end end;

rule "all are killed" exists i: rank do at[i] != down end ==>
begin
  for i: rank do at[i] := down; level[i] := 0; making[i] := 0; committed[i] := 0; next[i] := 1 end;
end;

rule "start again"
  forall i: rank do at[i] = down end & forall i: rank do newest(i) < GENERATIONS end
==>
var common: generation;
begin
  common := 0;
  for g: generation do if forall i: rank do kept[i][g] != 0 end then common := g end end;
  if BUG = 5 then
    common := newest(0);
    for i: rank do if newest(i) < common then common := newest(i) end end;
  end;
  for i: rank do
    next[i] := newest(i) + 1;
    committed[i] := (BUG = 3 ? newest(i) : common);
    level[i] := (committed[i] = 0 ? 1 : kept[i][committed[i]]);
    at[i] := working;
    if recorded[i] > common then missing := true end;
    if level[i] < complete then lost := true end;
  end;
end;

rule "rest at the end"
  forall i: rank do at[i] = down end & exists i: rank do newest(i) = GENERATIONS end
==>
begin
  rested := !rested;
end;

invariant "all ranks resume from the same level"
  forall i: rank do forall j: rank do at[i] = working & at[j] = working -> level[i] = level[j] end end;

invariant "what all ranks had written is not lost" !lost;

invariant "all ranks have what one has recorded" !missing;
