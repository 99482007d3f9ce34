-- Dining philosophers: a round table, one fork between two neighbours, and nobody eats with less than two.
--
-- expect: deadlock, depth 5
-- expect(LEFT_HANDED=1): verified, states 70
-- expect(LEFT_HANDED=1, PHILOSOPHERS=8): verified, states 985
--
-- Everybody takes the fork on the right first. If all of them do so at a time, each holds one fork and waits for ever
-- for the other one. A single philosopher who begins with the left fork breaks the circle.

const
  PHILOSOPHERS: 5;  -- two at least
  LEFT_HANDED: 0;   -- 1: philosopher 0 takes the left fork first

type
  seat: 0 .. PHILOSOPHERS - 1;  -- not a scalarset: it matters who sits beside whom
  activity: enum { thinking, reaching, eating };  -- reaching: with one fork in hand

var
  doing: array [seat] of activity;
  taken: array [seat] of boolean;  -- fork i lies to the right of philosopher i

function right_of(who: seat): seat;
begin
  return who;
end;

function left_of(who: seat): seat;
begin
  return (who + 1) % PHILOSOPHERS;
end;

function is_left_handed(who: seat): boolean;
begin
  return LEFT_HANDED = 1 & who = 0;
end;

function first_fork(who: seat): seat;
begin
  if is_left_handed(who) then
    return left_of(who);
  else
    return right_of(who);
  end;
end;

function second_fork(who: seat): seat;
begin
  if is_left_handed(who) then
    return right_of(who);
  else
    return left_of(who);
  end;
end;

startstate "all are thinking"
begin
  for who: seat do
    doing[who] := thinking;
    taken[who] := false;
  end;
end;

ruleset who: seat do

  rule "takes the first fork"
    doing[who] = thinking & !taken[first_fork(who)]
  ==>
  begin
    taken[first_fork(who)] := true;
    doing[who] := reaching;
  end;

  rule "takes the second fork and eats"
    doing[who] = reaching & !taken[second_fork(who)]
  ==>
  begin
    taken[second_fork(who)] := true;
    doing[who] := eating;
  end;

  rule "puts both forks down"
    doing[who] = eating
  ==>
  begin
    taken[first_fork(who)] := false;
    taken[second_fork(who)] := false;
    doing[who] := thinking;
  end;

end;

invariant "neighbours do not eat at a time"
  forall who: seat do
    doing[who] = eating -> doing[left_of(who)] != eating
  end;
