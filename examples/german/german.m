-- German's cache protocol: a directory that hands out one line of memory, to many readers or to one writer.
--
-- expect: verified, states 53298
-- expect(symmetry=exhaustive): verified, states 4813
-- expect(NODES=2): verified, states 3156
-- expect(NODES=4, symmetry=exhaustive): verified, states 26015
--
-- A node that wants the line asks the directory. The directory serves one request at a time. It first takes the line
-- away from those that stand in the way, that is from all nodes if the client is going to write, and from the writer
-- if it is going to read; when all have acknowledged, it grants the request. Each node has three channels with room
-- for one message: for its requests, for what the directory tells it, and for its acknowledgements.

const
  NODES: 3;
  VALUES: 2;  -- different contents of the line

type
  node: scalarset(NODES);
  value: scalarset(VALUES);
  access: enum { invalid, shared, exclusive };
  request: enum { no_request, ask_to_read, ask_to_write };
  order: enum { no_order, invalidate, grant_reading, grant_writing };

var
  -- The nodes.
  has: array [node] of access;
  copy: array [node] of value;  -- undefined while a node has no access

  -- The channels.
  request_from: array [node] of request;
  order_to: array [node] of order;
  granted_value: array [node] of value;    -- goes with a grant
  acknowledged: array [node] of boolean;
  returned_value: array [node] of value;   -- goes with the acknowledgement of a node that could write

  -- The directory.
  serving: request;
  client: node;                             -- who is being served, undefined if nobody is
  may_have_copy: array [node] of boolean;
  to_be_invalidated: array [node] of boolean;  -- of those that may have a copy: who has not yet been told
  writer_exists: boolean;                   -- one node has been granted writing, and has not given it back
  memory: value;

  written_last: value;  -- no part of the protocol: what every reader should see

-- Forgets what belongs to the request that is being served: otherwise states that behave alike would be different.
procedure end_service();
begin
  serving := no_request;
  undefine client;
  for each: node do
    to_be_invalidated[each] := false;
  end;
end;

ruleset content: value do
  startstate "nobody has a copy"
  begin
    for each: node do
      has[each] := invalid;
      request_from[each] := no_request;
      order_to[each] := no_order;
      acknowledged[each] := false;
      may_have_copy[each] := false;
    end;
    end_service();
    writer_exists := false;
    memory := content;
    written_last := content;
  end;
end;

ruleset self: node do

  -- What a node does.

  rule "node asks to read"
    request_from[self] = no_request & has[self] = invalid
  ==>
  begin
    request_from[self] := ask_to_read;
  end;

  rule "node asks to write"
    request_from[self] = no_request & has[self] != exclusive
  ==>
  begin
    request_from[self] := ask_to_write;
  end;

  ruleset content: value do
    rule "node writes"
      has[self] = exclusive
    ==>
    begin
      copy[self] := content;
      written_last := content;
    end;
  end;

  rule "node gives up its copy"
    order_to[self] = invalidate & !acknowledged[self]
  ==>
  begin
    if has[self] = exclusive then
      returned_value[self] := copy[self];
    end;
    has[self] := invalid;
    undefine copy[self];
    order_to[self] := no_order;
    acknowledged[self] := true;
  end;

  rule "node gets a copy to read"
    order_to[self] = grant_reading
  ==>
  begin
    has[self] := shared;
    copy[self] := granted_value[self];
    order_to[self] := no_order;
    undefine granted_value[self];
  end;

  rule "node gets a copy to write"
    order_to[self] = grant_writing
  ==>
  begin
    has[self] := exclusive;
    copy[self] := granted_value[self];
    order_to[self] := no_order;
    undefine granted_value[self];
  end;

  -- What the directory does with one node.

  rule "directory begins to serve a request"
    serving = no_request & request_from[self] != no_request
  ==>
  begin
    serving := request_from[self];
    client := self;
    request_from[self] := no_request;
    for each: node do
      to_be_invalidated[each] := may_have_copy[each];
    end;
  end;

  rule "directory takes the line away"
    to_be_invalidated[self] & order_to[self] = no_order
    & (serving = ask_to_write | (serving = ask_to_read & writer_exists))
  ==>
  begin
    order_to[self] := invalidate;
    to_be_invalidated[self] := false;
  end;

  rule "directory learns that a copy is gone"
    serving != no_request & acknowledged[self]
  ==>
  begin
    acknowledged[self] := false;
    may_have_copy[self] := false;
    if writer_exists then
      memory := returned_value[self];
      undefine returned_value[self];
      writer_exists := false;
    end;
  end;

end;

rule "directory grants reading"
  serving = ask_to_read & !writer_exists & order_to[client] = no_order
==>
begin
  may_have_copy[client] := true;
  order_to[client] := grant_reading;
  granted_value[client] := memory;
  end_service();
end;

rule "directory grants writing"
  serving = ask_to_write & order_to[client] = no_order
  & forall each: node do !may_have_copy[each] end
==>
begin
  may_have_copy[client] := true;
  writer_exists := true;
  order_to[client] := grant_writing;
  granted_value[client] := memory;
  end_service();
end;

invariant "a node that can write is alone"
  forall one: node do
    forall other: node do
      one = other | has[one] != exclusive | has[other] = invalid
    end
  end;

invariant "a copy is what was written last"
  forall self: node do
    has[self] != invalid -> copy[self] = written_last
  end;

invariant "memory is current unless a node can write"
  writer_exists | memory = written_last;
