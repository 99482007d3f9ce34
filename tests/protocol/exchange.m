-- How ranks exchange batches (src/net/exchange.h), over a network that delivers each message once, in any order.
--
-- Two ranks send up to BATCHES batches to each other in each of ROUNDS exchanges, with at most ON_THE_WAY that have not
-- been taken.  A rank goes on to the next exchange as soon as it finds that this one is over.
--
-- BUG leaves something out, and each must be found:
--   1 the end is an empty message, without the number of batches
--   2 a rank does not wait until all of its own batches were taken
--   3 a rank does not count what is on its way
--   4 a rank does not wait for the end of the other one
--
-- expect: verified
-- expect(BUG=1): violated "an exchange that is over has delivered all batches", violated "what arrives is of this exchange or of the next one"
-- expect(BUG=2): violated "what arrives is of this exchange or of the next one"
-- expect(BUG=3): violated "a rank has to keep few batches"
-- expect(BUG=4): violated "an exchange that is over has delivered all batches", violated "what arrives is of this exchange or of the next one"

const
  ROUNDS: 3;
  BATCHES: 2;
  ON_THE_WAY: 1;
  BUG: 0;

type
  rank: 0 .. 1;
  round: 1 .. ROUNDS;
  count: 0 .. BATCHES;

var
  -- messages on their way to a rank, of each exchange
  batch: array [rank] of array [round] of count;
  taken: array [rank] of array [round] of count;
  ending: array [rank] of array [round] of boolean;

  -- what a rank knows
  current: array [rank] of 1 .. ROUNDS + 1;
  sent: array [rank] of count;
  taken_there: array [rank] of count;
  ended: array [rank] of boolean;
  arrived: array [rank] of array [round] of count;  -- not yet taken
  done: array [rank] of count;                      -- taken
  heard_end: array [rank] of array [round] of boolean;

  total: array [rank] of array [round] of count;  -- that the rank has sent; `end` says so
  stray: boolean;
  rested: boolean;  -- changes at the end, which is not a deadlock

startstate "nothing sent"
begin
  clear batch; clear taken; clear ending;
  for i: rank do current[i] := 1 end;
  clear sent; clear taken_there; clear ended;
  clear arrived; clear done; clear heard_end;
  clear total;
  stray := false; rested := false;
end;

ruleset i: rank do
  rule "send a batch"
    current[i] <= ROUNDS & !ended[i] & sent[i] < BATCHES
    & (BUG = 3 | sent[i] - taken_there[i] < ON_THE_WAY)
  ==>
  begin
    sent[i] := sent[i] + 1;
    batch[1 - i][current[i]] := batch[1 - i][current[i]] + 1;
    total[i][current[i]] := sent[i];
  end;

  rule "say that this was all"
    current[i] <= ROUNDS & !ended[i]
  ==>
  begin
    ended[i] := true;
    ending[1 - i][current[i]] := true;
  end;

  rule "take a batch"
    current[i] <= ROUNDS & arrived[i][current[i]] > 0
  ==>
  begin
    arrived[i][current[i]] := arrived[i][current[i]] - 1;
    done[i] := done[i] + 1;
    taken[1 - i][current[i]] := taken[1 - i][current[i]] + 1;
  end;

  rule "go on to the next exchange"
    current[i] <= ROUNDS & ended[i]
    & (BUG = 4 | heard_end[i][current[i]])
    & (BUG = 1 | BUG = 4 | done[i] = total[1 - i][current[i]])
    & (BUG = 2 | taken_there[i] = sent[i])
  ==>
  begin
    if done[i] < total[1 - i][current[i]] then stray := true end;
    current[i] := current[i] + 1;
    sent[i] := 0; taken_there[i] := 0; ended[i] := false; done[i] := 0;
  end;

  ruleset r: round do
    rule "a batch arrives"
      batch[i][r] > 0
    ==>
    begin
      batch[i][r] := batch[i][r] - 1;
      arrived[i][r] := arrived[i][r] + 1;
    end;

    rule "it arrives that a batch was taken"
      taken[i][r] > 0 & r = current[i]
    ==>
    begin
      taken[i][r] := taken[i][r] - 1;
      taken_there[i] := taken_there[i] + 1;
    end;

    rule "the end arrives"
      ending[i][r]
    ==>
    begin
      ending[i][r] := false;
      heard_end[i][r] := true;
    end;
  end;
end;

rule "rest at the end" forall i: rank do current[i] = ROUNDS + 1 end ==> begin rested := !rested end;

invariant "an exchange that is over has delivered all batches" !stray;

-- What a rank hears of its own batches is of this exchange: nobody has to keep it.
invariant "what arrives is of this exchange or of the next one"
  forall i: rank do forall r: round do
    (batch[i][r] > 0 | ending[i][r] -> r = current[i] | r = current[i] + 1) & (taken[i][r] > 0 -> r = current[i])
  end end;

invariant "a rank has to keep few batches"
  forall i: rank do forall r: round do arrived[i][r] <= ON_THE_WAY end end;

liveness "all come to the end" forall i: rank do current[i] = ROUNDS + 1 end;
