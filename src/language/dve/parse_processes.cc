#include <fmt/format.h>

#include "language/dve/parser.h"

namespace spillway::dve {

ProcessNode Parser::process() {
  take();
  last_source_.reset();
  ProcessNode result;
  result.name = name("the name of a process");
  if (at(Word::open_round))
    refuse(now().position,
           "processes with parameters are an extension of DiVinE 3, which is not "
           "supported; write one process for each value");
  expect(Word::open_curly, "'{'");
  while (!accept(Word::close_curly)) {
    const Index begin = index();
    if (at_any({Word::process_, Word::property_, Word::system_, Word::end_of_text})) {
      source_.note({result.name.position,
                    fmt::format("the process {} has no '}}' before {}", quoted(result.name.text),
                                at(Word::end_of_text) ? shown(now())
                                                      : fmt::format("{} at line {}", shown(now()),
                                                                    now().position.line))});
      result.wrong = true;
      break;
    }
    if (attempt([&] { section(result); })) continue;
    result.wrong = true;
    skip_section(begin);
    if (token(begin).word != Word::trans_ && token(begin).word != Word::assert_) doubt(begin);
  }
  if (!result.wrong) examine(result);
  return result;
}

// A process that has errors may have lost them.
void Parser::examine(const ProcessNode& result) {
  if (result.states.empty())
    refuse(result.name.position, "the process has no states: 'state' is missing");
  if (!result.init)
    refuse(result.name.position, "the process has no initial state: 'init' is missing");
}

void Parser::section(ProcessNode& process) {
  const auto more = [&](std::vector<Name>& to, const char* what) {
    take();
    for (Name& one : names(what)) to.push_back(std::move(one));
    expect(Word::semicolon, "';' or ','");
  };
  switch (now().word) {
    case Word::const_:
    case Word::byte_:
    case Word::int_: return variables(process.variables);
    case Word::state_: return more(process.states, "the name of a state");
    case Word::commit_: return more(process.committed, "the name of a state");
    case Word::accept_: return accepting(process);
    case Word::assert_: return asserts(process);
    case Word::trans_: return transitions(process);
    case Word::init_: {
      const Position position = take().position;
      if (process.init) refuse(position, "a process can have only one 'init'");
      process.init = name("the name of a state");
      expect(Word::semicolon, "';'");
      return;
    }
    case Word::channel_: refuse(now().position, "channels must be declared outside of processes");
    case Word::semicolon: take(); return;
    default:
      refuse_here("a variable, 'state', 'init', 'commit', 'accept', 'assert', 'trans' or '}'");
  }
}

// Only Büchi conditions are supported: sets of states that must be visited infinitely often.
void Parser::accepting(ProcessNode& process) {
  take();
  const bool kind =
      at(Word::name) && (ahead(1).word == Word::name || ahead(1).word == Word::open_round);
  if (kind) {
    const Token word = take();
    if (word.text != "buchi")
      refuse(word.position,
             fmt::format("{} conditions are not supported; only 'accept' with a list of states is",
                         quoted(word.text)));
  }
  if (at(Word::open_round))
    refuse(now().position, "only 'accept' with one list of states is supported");
  if (accept(Word::semicolon)) return;
  for (Name& one : names("the name of a state")) process.accepting.push_back(std::move(one));
  expect(Word::semicolon, "';' or ','");
}

void Parser::asserts(ProcessNode& process) {
  take();
  do {
    AssertNode one;
    one.state = name("the name of a state");
    expect(Word::colon, "':'");
    one.condition = expression();
    process.asserts.push_back(std::move(one));
  } while (accept(Word::comma));
  expect(Word::semicolon, "';' or ','");
}

// The comma between two transitions and the semicolon after the last may be missing.
void Parser::transitions(ProcessNode& process) {
  take();
  while (at_any({Word::name, Word::arrow})) {
    const Index begin = index();
    TransitionNode next;
    if (attempt([&] { next = transition(); }))
      process.transitions.push_back(std::move(next));
    else
      skip_transition(begin);
    accept(Word::comma);
  }
  if (!at(Word::close_curly)) expect(Word::semicolon, "a transition or ';'");
}

TransitionNode Parser::transition() {
  TransitionNode result;
  result.position = now().position;
  if (at(Word::name)) {
    result.from = name("the name of a state");
  } else {
    if (!last_source_) refuse(now().position, "the first transition must name its source state");
    result.from = *last_source_;
  }
  last_source_ = result.from;
  if (at(Word::fat_arrow))
    refuse(now().position, "transitions with probabilities are not supported");
  expect(Word::arrow, "'->'");
  result.to = name("the name of a state");
  expect(Word::open_curly, "'{'");
  while (!accept(Word::close_curly)) {
    const Index begin = index();
    if (at_any({Word::end_of_text, Word::trans_, Word::state_, Word::init_}) || at_item())
      refuse_here("'guard', 'sync', 'effect' or '}'");
    if (!attempt([&] { part(result); })) skip_part(begin);
  }
  return result;
}

void Parser::part(TransitionNode& transition) {
  const Position position = now().position;
  const auto once = [&](bool there) {
    if (there)
      refuse(position, fmt::format("a transition can have only one {}", quoted(now().text)));
    take();
  };
  switch (now().word) {
    case Word::guard_:
      once(!transition.guards.empty());
      transition.guards = expressions();
      break;
    case Word::sync_:
      once(transition.sync.has_value());
      transition.sync = sync();
      break;
    case Word::effect_:
      once(!transition.effects.empty());
      transition.effects = list([&] { return assignment(); });
      break;
    case Word::semicolon: break;
    default: refuse_here("'guard', 'sync', 'effect' or '}'");
  }
  expect(Word::semicolon, "';'");
}

SyncNode Parser::sync() {
  SyncNode result;
  result.channel = name("the name of a channel");
  if (!at_any({Word::exclamation, Word::question})) refuse_here("'!' or '?'");
  result.sends = take().word == Word::exclamation;
  if (at(Word::semicolon)) return result;
  const auto value = [&] { return result.sends ? expression() : designator(); };
  if (!accept(Word::open_curly)) {
    result.values.push_back(value());
    return result;
  }
  result.values = list(value);
  expect(Word::close_curly, "'}' or ','");
  return result;
}

AssignNode Parser::assignment() {
  AssignNode result;
  result.target = designator();
  result.position = result.target->position;
  if (at(Word::equal)) refuse(now().position, "use '=' to assign; '==' compares");
  expect(Word::assign, "'='");
  result.value = expression();
  return result;
}

}  // namespace spillway::dve
