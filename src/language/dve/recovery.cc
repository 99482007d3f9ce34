// Where the parser continues after an error.
#include "language/dve/parser.h"

namespace spillway::dve {

bool Parser::at_section() const {
  return at_any({Word::const_, Word::byte_, Word::int_, Word::state_, Word::commit_, Word::accept_,
                 Word::assert_, Word::trans_, Word::init_});
}

// A word that begins something outside of processes, and nothing inside one.
bool Parser::at_item() const {
  return at_any({Word::channel_, Word::process_, Word::property_, Word::system_});
}

// Each of these passes at least one token, counted from `begin`, where the construct with the error
// begins.

// Up to the end of a declaration or process, or to the next one.
void Parser::skip_item(Index begin) {
  skip(begin, [&] {
    return at_item() || at_variables() || at_any({Word::semicolon, Word::close_curly});
  });
  if (at_any({Word::semicolon, Word::close_curly})) take();
}

// Up to the end of a section, or to the next one, or to the end of the process.
void Parser::skip_section(Index begin) {
  const Index stopped = index();
  // A keyword where a name was expected, as in `byte state;`, begins no section.
  const bool keyword = stopped > begin && at_section() &&
                       token(stopped).position.line == token(stopped - 1).position.line;
  skip(begin, [&] {
    if (index() == stopped && keyword) return false;
    return at_section() || at_item() || at_any({Word::close_curly, Word::semicolon});
  });
  accept(Word::semicolon);
}

// Up to the end of a transition, which ends with a brace if it has begun with one.
void Parser::skip_transition(Index begin) {
  bool open = false;
  for (Index i = begin; i < index(); ++i) open = open || token(i).word == Word::open_curly;
  for (; !at(Word::end_of_text); take()) {
    if ((!open && at_any({Word::comma, Word::semicolon})) || at_section() || at_item()) return;
    if (at(Word::close_curly)) {
      if (open) take();
      return;
    }
    open = open || at(Word::open_curly);
  }
}

// Up to the end of a part of a transition, or to the next one, or to the end of the transition.
void Parser::skip_part(Index begin) {
  skip(begin, [&] {
    return at_any({Word::close_curly, Word::guard_, Word::sync_, Word::effect_, Word::semicolon}) ||
           at_section() || at_item();
  });
  accept(Word::semicolon);
}

}  // namespace spillway::dve
