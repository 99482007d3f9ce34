-- How the ranks of a cluster make checkpoints together, and resume on another number of ranks.
--
-- The states are in PARTS parts, each of which belongs to a rank.  For a checkpoint, the owner of each part writes a file
-- with it, syncs it, and tells rank 0.  When rank 0 has heard of all parts, it replaces its record, which says which
-- checkpoint counts, and syncs that.  Then it tells the others, who may remove their files of the checkpoint before.
--
-- A rank can be killed at any time.  The others go on until they notice.  When all are gone, what was not synced may be
-- lost.  Another life begins on any number of ranks, with the parts shared out anew: from the checkpoint of the record,
-- after all files of later checkpoints were removed.
--
-- BUG leaves a step out, or takes it too early, and each must be found:
--   1 rank 0 does not wait for all parts      4 files of later checkpoints are not removed, and count as written
--   2 a rank tells before it has synced       5 each rank resumes from its own newest file, not from the record
--   3 the files of the checkpoint before are  6 rank 0 tells the others before its record is synced
--     removed when the new one is synced
--
-- expect: verified
-- expect(RANKS=3, PARTS=3, CHECKPOINTS=2): verified
-- expect(BUG=1): violated "the checkpoint that counts is complete"
-- expect(BUG=2): violated "the checkpoint that counts is complete"
-- expect(BUG=3): violated "the checkpoint that counts is complete"
-- expect(BUG=4): violated "the checkpoint that counts is of one life"
-- expect(BUG=5): violated "all parts resume at the same checkpoint"
-- expect(BUG=6): violated "the checkpoint that counts is complete"

const
  RANKS: 2;
  PARTS: 2;
  CHECKPOINTS: 3;
  LIVES: 3;
  BUG: 0;

type
  rank: 0 .. RANKS - 1;
  part: 0 .. PARTS - 1;
  checkpoint: 1 .. CHECKPOINTS;
  perhaps_checkpoint: 0 .. CHECKPOINTS;
  life: 1 .. LIVES;

var
  -- on the disks
  written_in: array [part] of array [checkpoint] of 0 .. LIVES;  -- the life that has written the file; 0: there is none
  synced: array [part] of array [checkpoint] of boolean;
  counts: perhaps_checkpoint;   -- what the record says, for certain
  renamed: perhaps_checkpoint;  -- what it says if the replacement has come to the disk

  -- in the memory of the ranks
  now: life;
  ranks: 1 .. RANKS;
  alive: array [rank] of boolean;
  heard: array [part] of boolean;              -- by rank 0: the file of the next checkpoint is synced
  committed: array [part] of perhaps_checkpoint;  -- that its owner knows of
  resumed: array [part] of perhaps_checkpoint;    -- with which its owner has begun this life

function owner(p: part): rank;
begin
  return p % ranks;
end;

function at_work(p: part): boolean;
begin
  return alive[owner(p)];
end;

procedure begin_life(on: 1 .. RANKS);
begin
  ranks := on;
  for r: rank do alive[r] := r < on end;
  clear heard;
  renamed := counts;
  for p: part do
    committed[p] := counts;
    for g: checkpoint do
      if BUG = 5 & synced[p][g] & g > committed[p] then committed[p] := g end;
    end;
    for g: checkpoint do
      if BUG != 4 & BUG != 5 & g > counts then
        written_in[p][g] := 0;
        synced[p][g] := false;
      end;
    end;
    resumed[p] := committed[p];
  end;
end;

startstate "nothing written"
begin
  for p: part do for g: checkpoint do written_in[p][g] := 0; synced[p][g] := false end end;
  counts := 0; renamed := 0;
  now := 1;
  begin_life(RANKS);
end;

ruleset p: part; g: checkpoint do
  rule "write a file"
    at_work(p) & g = committed[p] + 1 & written_in[p][g] = 0
  ==>
  begin
    written_in[p][g] := now;
  end;

  rule "sync it"
    at_work(p) & g = committed[p] + 1 & written_in[p][g] != 0 & !synced[p][g]
  ==>
  begin
    synced[p][g] := true;
    if BUG = 3 & g > 1 then written_in[p][g - 1] := 0; synced[p][g - 1] := false end;
  end;

  rule "rank 0 hears of it"
    at_work(p) & alive[0] & g = committed[p] + 1 & g = renamed + 1 & renamed = counts & !heard[p]
    & written_in[p][g] != 0 & (BUG = 2 | synced[p][g])
  ==>
  begin
    heard[p] := true;
  end;

  rule "hear of the new record"
    at_work(p) & alive[0] & g = committed[p] + 1 & g <= (BUG = 6 ? renamed : counts)
  ==>
  begin
    committed[p] := g;
    if g > 1 then written_in[p][g - 1] := 0; synced[p][g - 1] := false end;
  end;
end;

rule "replace the record"
  alive[0] & renamed = counts & counts < CHECKPOINTS
  & (exists p: part do heard[p] end) & (BUG = 1 | forall p: part do heard[p] end)
==>
begin
  renamed := counts + 1;
  clear heard;
end;

rule "sync the record"
  alive[0] & renamed != counts
==>
begin
  counts := renamed;
end;

ruleset r: rank do
  rule "a rank is killed"
    alive[r] & now < LIVES
  ==>
  begin
    alive[r] := false;
  end;
end;

ruleset p: part; g: checkpoint do
  rule "a file is lost that was not synced"
    (forall r: rank do !alive[r] end) & written_in[p][g] != 0 & !synced[p][g]
  ==>
  begin
    written_in[p][g] := 0;
  end;
end;

rule "the new record was on the disk already"
  (forall r: rank do !alive[r] end) & renamed != counts
==>
begin
  counts := renamed;
end;

ruleset on: 1 .. RANKS do
  rule "resume"
    (forall r: rank do !alive[r] end) & now < LIVES
  ==>
  begin
    now := now + 1;
    begin_life(on);
  end;
end;

rule "rest at the end" counts = CHECKPOINTS ==> begin heard[0] := !heard[0] end;

invariant "the checkpoint that counts is complete"
  counts > 0 -> forall p: part do written_in[p][counts] != 0 & synced[p][counts] end;

invariant "the checkpoint that counts is of one life"
  counts > 0 -> forall p: part do forall q: part do
    written_in[p][counts] != 0 & written_in[q][counts] != 0 -> written_in[p][counts] = written_in[q][counts]
  end end;

invariant "all parts resume at the same checkpoint"
  forall p: part do resumed[p] = resumed[0] end;

liveness "all checkpoints are made" counts = CHECKPOINTS;
