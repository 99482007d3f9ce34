#include "language/dve/parser.h"

namespace spillway::dve {

Basic Parser::basic() {
  if (!at_any({Word::byte_, Word::int_})) refuse_here("'byte' or 'int'");
  return take().word == Word::byte_ ? Basic::byte : Basic::integer;
}

void Parser::variables(std::vector<VariableNode>& out) {
  const bool constant = accept(Word::const_);
  const Basic type = basic();
  do {
    VariableNode variable;
    variable.name = name("the name of a variable");
    variable.constant = constant;
    variable.basic = type;
    if (accept(Word::open_square)) {
      variable.size_position = now().position;
      variable.size = expect(Word::number, "the size of the array as a number").value;
      expect(Word::close_square, "']'");
    }
    if (accept(Word::assign)) initial_values(variable);
    out.push_back(std::move(variable));
  } while (accept(Word::comma));
  expect(Word::semicolon, "';' or ','");
}

void Parser::initial_values(VariableNode& variable) {
  variable.list = accept(Word::open_curly);
  if (!variable.list) {
    variable.values.push_back(expression());
    return;
  }
  variable.values = expressions();
  expect(Word::close_curly, "'}' or ','");
}

void Parser::channels(std::vector<ChannelNode>& out) {
  take();
  std::vector<Basic> types;
  if (accept(Word::open_curly)) {
    types = list([&] { return basic(); });
    expect(Word::close_curly, "'}' or ','");
  }
  do {
    ChannelNode channel;
    channel.name = name("the name of a channel");
    channel.types = types;
    if (at(Word::open_square)) buffer(channel);
    out.push_back(std::move(channel));
  } while (accept(Word::comma));
  expect(Word::semicolon, "';' or ','");
}

void Parser::buffer(ChannelNode& channel) {
  if (channel.types.empty())
    refuse(now().position,
           "a buffered channel needs the types of its messages: channel {byte} c[1]");
  take();
  channel.size_position = now().position;
  channel.size = expect(Word::number, "the number of messages").value;
  expect(Word::close_square, "']'");
}

}  // namespace spillway::dve
