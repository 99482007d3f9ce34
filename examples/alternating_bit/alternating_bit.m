-- The alternating bit protocol: messages in order, without loss and without repetition, over channels that lose them.
--
-- expect: verified, states 450
-- expect(CAPACITY=6): verified, states 2304
-- expect(SEQUENCE_NUMBERS=1): violated "every value arrives once and in order", depth 4
--
-- The sender sends a value with a number, again and again, until the receiver has acknowledged that number; only then
-- comes the next value, with the next number. The channels keep the order of what they do not lose, and therefore two
-- numbers are enough: one bit. With a single number nobody can tell a repetition from a new value.

const
  CAPACITY: 3;          -- messages that a channel can hold
  VALUES: 3;            -- the sender sends 0, 1, 2, 0, 1, 2, ... so that a loss or a repetition can be seen
  SEQUENCE_NUMBERS: 2;  -- two are the alternating bit; one is too few

type
  slot: 0 .. CAPACITY - 1;
  amount: 0 .. CAPACITY;
  value: 0 .. VALUES - 1;
  sequence_number: 0 .. SEQUENCE_NUMBERS - 1;
  message: record
    number: sequence_number;
    content: value;
  end;

var
  -- The channels. Slot 0 is read next; slots that hold nothing are undefined, so that old messages make no states.
  data: array [slot] of message;
  data_waiting: amount;
  acknowledgement: array [slot] of sequence_number;
  acknowledgements_waiting: amount;

  sender_number: sequence_number;    -- of the value that is being sent
  sender_value: value;
  receiver_number: sequence_number;  -- of the value that is being waited for

  -- No part of the protocol, they only serve to say what is right:
  received: value;    -- what arrived last
  should_be: value;   -- what should have arrived last, going by the number of arrivals

function next_number(number: sequence_number): sequence_number;
begin
  return (number + 1) % SEQUENCE_NUMBERS;
end;

function next_value(content: value): value;
begin
  return (content + 1) % VALUES;
end;

-- Takes one message out, by having the others move up.
procedure remove_data(position: slot);
begin
  for i: slot do
    if i >= position & i + 1 < data_waiting then
      data[i] := data[i + 1];
    end;
  end;
  data_waiting := data_waiting - 1;
  undefine data[data_waiting];
end;

procedure remove_acknowledgement(position: slot);
begin
  for i: slot do
    if i >= position & i + 1 < acknowledgements_waiting then
      acknowledgement[i] := acknowledgement[i + 1];
    end;
  end;
  acknowledgements_waiting := acknowledgements_waiting - 1;
  undefine acknowledgement[acknowledgements_waiting];
end;

startstate "nothing sent"
begin
  data_waiting := 0;
  acknowledgements_waiting := 0;
  sender_number := 0;
  sender_value := 0;
  receiver_number := 0;
  received := VALUES - 1;
  should_be := VALUES - 1;
end;

rule "sender sends, perhaps not for the first time"
  data_waiting < CAPACITY
==>
begin
  data[data_waiting].number := sender_number;
  data[data_waiting].content := sender_value;
  data_waiting := data_waiting + 1;
end;

rule "receiver takes a message and acknowledges it"
  data_waiting > 0 & acknowledgements_waiting < CAPACITY
==>
begin
  if data[0].number = receiver_number then
    received := data[0].content;
    should_be := next_value(should_be);
    receiver_number := next_number(receiver_number);
  end;
  -- A repetition is acknowledged too: the acknowledgement of the original may have been lost.
  acknowledgement[acknowledgements_waiting] := data[0].number;
  acknowledgements_waiting := acknowledgements_waiting + 1;
  remove_data(0);
end;

rule "sender takes an acknowledgement"
  acknowledgements_waiting > 0
==>
begin
  if acknowledgement[0] = sender_number then
    sender_value := next_value(sender_value);
    sender_number := next_number(sender_number);
  end;
  remove_acknowledgement(0);
end;

ruleset position: slot do

  rule "a message is lost"
    position < data_waiting
  ==>
  begin
    remove_data(position);
  end;

  rule "an acknowledgement is lost"
    position < acknowledgements_waiting
  ==>
  begin
    remove_acknowledgement(position);
  end;

end;

invariant "every value arrives once and in order"
  received = should_be;
