-- A snooping MESI cache protocol in which caches wait for the bus.
--
-- expect: verified, states 1898
-- expect(symmetry=exhaustive): verified, states 100
-- expect(CACHES=6, symmetry=exhaustive): verified, states 273
-- expect(BUG=1): violated "a copy is what was written last", depth 8
--
-- MESI adds one state to MSI: a line that no other cache has is *exclusive*, and can be written without asking. The
-- interesting part is the time between a request and its turn on the bus. A cache that shares the line and wants to
-- write asks for permission only, as it has the data already. But another cache may get the bus first and take the
-- line away, and then permission is no longer enough: the request must become one for the data, too.

const
  CACHES: 4;
  VALUES: 2;  -- different contents of the line
  BUG: 0;     -- 1: a request for permission stays one when the line is taken away

type
  cache: scalarset(CACHES);
  value: scalarset(VALUES);
  line_state: enum { invalid, shared, exclusive, modified };
  request: enum { nothing, to_read, to_write, permission };

var
  state: array [cache] of line_state;
  copy: array [cache] of value;      -- undefined while the line is invalid
  wants: array [cache] of request;   -- what the cache waits for the bus with
  memory: value;

  written_last: value;  -- no part of the machine: what every reader should see

function has_line(owner: cache): boolean;
begin
  return state[owner] != invalid;
end;

function others_have_line(self: cache): boolean;
begin
  return exists other: cache do other != self & has_line(other) end;
end;

-- Memory gets what only a cache has, so that all others can be served from memory.
procedure flush(owner: cache);
begin
  if state[owner] = modified then
    memory := copy[owner];
  end;
end;

procedure invalidate(owner: cache);
begin
  state[owner] := invalid;
  undefine copy[owner];
end;

-- Who answers a request: the cache that has what memory has not, or the one that asks if there is none. A loop that
-- looks for it and copies what it finds would depend on the order of caches, which have none.
function answers(owner: cache; self: cache): boolean;
begin
  return owner = self ? !exists other: cache do other != self & state[other] = modified end : state[owner] = modified;
end;

-- The other caches hear that somebody reads.
procedure others_share(self: cache);
begin
  for other: cache do
    if other != self & has_line(other) then
      state[other] := shared;
    end;
  end;
end;

-- The other caches hear that somebody is going to write.
procedure others_give_up(self: cache);
begin
  for other: cache do
    if other != self & has_line(other) then
      invalidate(other);
      if wants[other] = permission & BUG = 0 then
        wants[other] := to_write;
      end;
    end;
  end;
end;

ruleset content: value do
  startstate "all caches are empty"
  begin
    memory := content;
    written_last := content;
    for owner: cache do
      state[owner] := invalid;
      wants[owner] := nothing;
    end;
  end;
end;

ruleset self: cache do

  -- What the processor of a cache makes it do.

  rule "waits for the bus, to read"
    wants[self] = nothing & state[self] = invalid
  ==>
  begin
    wants[self] := to_read;
  end;

  rule "waits for the bus, to write"
    wants[self] = nothing & state[self] = invalid
  ==>
  begin
    wants[self] := to_write;
  end;

  rule "waits for the bus, for permission to write"
    wants[self] = nothing & state[self] = shared
  ==>
  begin
    wants[self] := permission;
  end;

  ruleset content: value do
    rule "writes without asking"
      wants[self] = nothing & (state[self] = exclusive | state[self] = modified)
    ==>
    begin
      state[self] := modified;
      copy[self] := content;
      written_last := content;
    end;
  end;

  rule "throws the line out"
    wants[self] = nothing & has_line(self)
  ==>
  begin
    flush(self);
    invalidate(self);
  end;

  -- What happens when a cache gets the bus.

  ruleset owner: cache do
    rule "gets the line to read it"
      wants[self] = to_read & answers(owner, self)
    ==>
    begin
      flush(owner);
      if others_have_line(self) then
        others_share(self);
        state[self] := shared;
      else
        state[self] := exclusive;
      end;
      copy[self] := memory;
      wants[self] := nothing;
    end;

    rule "gets the line to write it"
      wants[self] = to_write & answers(owner, self)
    ==>
    begin
      flush(owner);
      others_give_up(self);
      state[self] := exclusive;  -- it becomes modified when something is written
      copy[self] := memory;
      wants[self] := nothing;
    end;

    rule "gets permission to write"
      wants[self] = permission & answers(owner, self)
    ==>
    begin
      flush(owner);
      others_give_up(self);
      state[self] := exclusive;
      wants[self] := nothing;
    end;
  end;

end;

invariant "a cache that can write is alone"
  forall one: cache do
    forall other: cache do
      one = other | (state[one] != exclusive & state[one] != modified) | state[other] = invalid
    end
  end;

invariant "a copy is what was written last"
  forall owner: cache do
    has_line(owner) -> (!isundefined(copy[owner]) & copy[owner] = written_last)
  end;

invariant "memory is current unless a cache has something newer"
  (exists owner: cache do state[owner] = modified end) | memory = written_last;
