-- A snooping MSI cache protocol with write-back buffers, and with a bug that real machines have had.
--
-- expect: violated "a copy is what was written last", depth 4
-- expect(BUG=0): verified, states 40
-- expect(BUG=0, symmetry=exhaustive): verified, states 8
-- expect(BUG=0, CACHES=6): verified, states 176
--
-- Several caches share one line of memory over a bus. A cache that throws out a modified line does not write it to
-- memory at once but leaves it in a buffer, which is emptied later. In the meantime the only current copy is in that
-- buffer. Whoever asks for the line has to be given this copy: a cache must look not only into its line but also into
-- its buffer when it hears a request on the bus. With BUG it looks into its line only.

const
  CACHES: 3;
  VALUES: 2;  -- different contents of the line
  BUG: 1;     -- 1: buffers do not listen to the bus

type
  cache: scalarset(CACHES);
  value: scalarset(VALUES);
  line_state: enum { invalid, shared, modified };

var
  state: array [cache] of line_state;
  copy: array [cache] of value;        -- undefined while the line is invalid
  buffered: array [cache] of boolean;  -- whether a write-back is waiting
  buffer: array [cache] of value;      -- undefined while none is waiting
  memory: value;

  written_last: value;  -- no part of the machine: what every reader should see

procedure invalidate(owner: cache);
begin
  state[owner] := invalid;
  undefine copy[owner];
end;

procedure write_back(owner: cache);
begin
  memory := buffer[owner];
  buffered[owner] := false;
  undefine buffer[owner];
end;

-- Whether a cache has what memory has not, when another one asks for it. The requester's own buffer counts as well.
function has_newer(source: cache; requester: cache): boolean;
begin
  return (source != requester & state[source] = modified) | (BUG = 0 & buffered[source]);
end;

-- Who answers a request: the cache that has what memory has not, or the requester if there is none. A loop that looks
-- for it and copies what it finds would depend on the order of caches, which have none.
function answers(source: cache; requester: cache): boolean;
begin
  return has_newer(source, requester) |
         (source = requester & !exists other: cache do has_newer(other, requester) end);
end;

-- All caches hear a request. What only the source has is written to memory first, so that the requester can be served
-- from there.
procedure snoop(source: cache; requester: cache; wants_to_write: boolean);
begin
  if source != requester & state[source] = modified then
    memory := copy[source];
    state[source] := shared;
  end;
  if BUG = 0 & buffered[source] then
    write_back(source);
  end;
  for other: cache do
    if other != requester & wants_to_write then
      invalidate(other);
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
      buffered[owner] := false;
    end;
  end;
end;

ruleset owner: cache do

  ruleset source: cache do
    rule "asks for the line to read it"
      state[owner] = invalid & answers(source, owner)
    ==>
    begin
      snoop(source, owner, false);
      state[owner] := shared;
      copy[owner] := memory;
    end;

    rule "asks for the line to write it"
      state[owner] != modified & answers(source, owner)
    ==>
    begin
      snoop(source, owner, true);
      state[owner] := modified;
      copy[owner] := memory;
    end;
  end;

  ruleset content: value do
    rule "writes"
      state[owner] = modified
    ==>
    begin
      copy[owner] := content;
      written_last := content;
    end;
  end;

  rule "throws out a line that memory has as well"
    state[owner] = shared
  ==>
  begin
    invalidate(owner);
  end;

  rule "throws out a modified line"
    state[owner] = modified & !buffered[owner]
  ==>
  begin
    buffer[owner] := copy[owner];
    buffered[owner] := true;
    invalidate(owner);
  end;

  rule "empties its buffer into memory"
    buffered[owner]
  ==>
  begin
    write_back(owner);
  end;

end;

invariant "a cache that can write is alone"
  forall one: cache do
    forall other: cache do
      one = other | state[one] != modified | state[other] = invalid
    end
  end;

invariant "a copy is what was written last"
  forall owner: cache do
    state[owner] != invalid -> copy[owner] = written_last
  end;

invariant "memory is current unless a cache has something newer"
  (exists owner: cache do state[owner] = modified | buffered[owner] end) | memory = written_last;
