-- Peterson's mutual exclusion for any number of processes, also known as the filter lock.
--
-- expect: verified, states 5744
-- expect(symmetry=exhaustive): verified, states 322
-- expect(PROCESSES=3): verified, states 356
-- expect(PROCESSES=6, symmetry=exhaustive): verified, states 4789
-- expect(FILTERS=2): violated "mutual exclusion", depth 16
--
-- On its way to the critical section a process passes one filter after another. At each filter it says that it is
-- there, then that it was the last to come, and waits until another one has come later or nobody else is at this
-- filter or further. So each filter holds back at least one process, and one filter less than there are processes
-- lets one process through at most.

const
  PROCESSES: 4;             -- two at least
  FILTERS: PROCESSES - 1;   -- with fewer than that, two processes get through

type
  competitor: scalarset(PROCESSES);  -- all of them run the same program, so their names do not matter
  filter: 1 .. FILTERS;
  progress: 0 .. FILTERS;
  place: enum { idle, arriving, waiting, critical };

var
  is: array [competitor] of place;
  reached: array [competitor] of progress;  -- the filter a process is at; 0: it takes no part
  last: array [filter] of competitor;       -- who came last to a filter; undefined before anybody came

function may_pass(self: competitor): boolean;
begin
  return last[reached[self]] != self
       | forall other: competitor do other = self | reached[other] < reached[self] end;
end;

startstate "nobody takes part"
begin
  for self: competitor do
    is[self] := idle;
    reached[self] := 0;
  end;
end;

ruleset self: competitor do

  rule "comes to the first filter"
    is[self] = idle
  ==>
  begin
    reached[self] := 1;
    is[self] := arriving;
  end;

  -- This is a step of its own: two processes may be at a filter before either of them calls itself the last.
  rule "calls itself the last"
    is[self] = arriving
  ==>
  begin
    last[reached[self]] := self;
    is[self] := waiting;
  end;

  rule "goes on to the next filter"
    is[self] = waiting & reached[self] < FILTERS & may_pass(self)
  ==>
  begin
    reached[self] := reached[self] + 1;
    is[self] := arriving;
  end;

  rule "enters the critical section"
    is[self] = waiting & reached[self] = FILTERS & may_pass(self)
  ==>
  begin
    is[self] := critical;
  end;

  rule "leaves the critical section"
    is[self] = critical
  ==>
  begin
    reached[self] := 0;
    is[self] := idle;
  end;

end;

invariant "mutual exclusion"
  forall one: competitor do
    forall other: competitor do
      one = other | is[one] != critical | is[other] != critical
    end
  end;
