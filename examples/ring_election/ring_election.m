-- Leader election in a ring, after Chang and Roberts.
--
-- expect: verified, states 2073
-- expect(NODES=5): verified, states 30931
-- expect(UNIQUE=0): violated "the highest identity wins", depth 6
--
-- Each node knows its own identity and can send to the next node only. A node that wants to lead sends its identity
-- around; a node passes on what is higher than its own identity and drops what is lower. Whose identity comes back to
-- it has the highest one of all, is the leader, and tells the others.
--
-- When all know the leader, a new election begins, with new identities. So something always happens in this model,
-- and a deadlock would be an election that does not come to its end.

const
  NODES: 4;
  UNIQUE: 1;  -- 0: nodes draw their identities at random, and two may draw the same

type
  position: 0 .. NODES - 1;  -- not a scalarset: there is an order, the node after the last one is the first
  identity: 1 .. NODES;
  leader_or_none: 0 .. NODES;
  amount: 0 .. NODES;  -- a node starts one message at most, so that many can wait in one place
  condition: enum { asleep, candidate, defeated, leading };
  purpose: enum { candidacy, victory };
  message: record
    says: purpose;
    about: identity;
  end;

var
  identity_of: array [position] of identity;  -- undefined until it is drawn
  is: array [position] of condition;
  leader: array [position] of leader_or_none;  -- as far as the node knows; 0: it does not know yet

  -- What is on its way to a node, the oldest message at 0. Slots that hold nothing are undefined.
  waiting: array [position] of amount;
  inbox: array [position] of array [position] of message;

function after(node: position): position;
begin
  return (node + 1) % NODES;
end;

procedure send(receiver: position; says: purpose; about: identity);
begin
  inbox[receiver][waiting[receiver]].says := says;
  inbox[receiver][waiting[receiver]].about := about;
  waiting[receiver] := waiting[receiver] + 1;
end;

procedure drop_oldest(receiver: position);
begin
  for i: position do
    if i + 1 < waiting[receiver] then
      inbox[receiver][i] := inbox[receiver][i + 1];
    end;
  end;
  waiting[receiver] := waiting[receiver] - 1;
  undefine inbox[receiver][waiting[receiver]];
end;

procedure stand(node: position);
begin
  is[node] := candidate;
  send(after(node), candidacy, identity_of[node]);
end;

-- The message of another candidate, or the node's own one that has come around.
procedure hear_candidacy(node: position; about: identity);
begin
  if about > identity_of[node] then
    is[node] := defeated;
    send(after(node), candidacy, about);
  elsif about < identity_of[node] then
    if is[node] = asleep then
      stand(node);  -- it has the better chances, and need not wait until it wakes up by itself
    end;
  else
    is[node] := leading;
    leader[node] := about;
    send(after(node), victory, about);
  end;
end;

procedure hear_victory(node: position; about: identity);
begin
  if is[node] != leading then  -- the leader's own message ends with the leader
    leader[node] := about;
    send(after(node), victory, about);
  end;
end;

procedure begin_election();
begin
  undefine identity_of;
  undefine inbox;
  for node: position do
    is[node] := asleep;
    leader[node] := 0;
    waiting[node] := 0;
  end;
end;

function all_have_drawn(): boolean;
begin
  return forall node: position do !isundefined(identity_of[node]) end;
end;

startstate "no identities yet"
begin
  begin_election();
end;

ruleset node: position do

  ruleset drawn: identity do
    -- One after the other, because the order in which they draw makes no difference.
    rule "draws an identity"
      isundefined(identity_of[node])
      & forall other: position do other < node -> !isundefined(identity_of[other]) end
      & (UNIQUE = 0 | forall other: position do other < node -> identity_of[other] != drawn end)
    ==>
    begin
      identity_of[node] := drawn;
    end;
  end;

  rule "wakes up and stands as a candidate"
    all_have_drawn() & is[node] = asleep
  ==>
  begin
    stand(node);
  end;

  rule "takes a message"
    waiting[node] > 0
  ==>
  var
    taken: message;
  begin
    taken := inbox[node][0];
    drop_oldest(node);
    if taken.says = candidacy then
      hear_candidacy(node, taken.about);
    else
      hear_victory(node, taken.about);
    end;
  end;

end;

rule "all know the leader: the next election begins"
  forall node: position do leader[node] != 0 & waiting[node] = 0 end
==>
begin
  begin_election();
end;

invariant "one leader at most"
  forall one: position do
    forall other: position do
      one = other | is[one] != leading | is[other] != leading
    end
  end;

invariant "the highest identity wins"
  forall node: position do
    is[node] = leading -> forall other: position do identity_of[other] <= identity_of[node] end
  end;

invariant "a node that knows the leader is right"
  forall node: position do
    leader[node] != 0 -> exists other: position do is[other] = leading & identity_of[other] = leader[node] end
  end;
