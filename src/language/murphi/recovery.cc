// Where the parser continues after an error.
#include <fmt/format.h>

#include "base/text/suggest.h"
#include "language/murphi/lexer.h"
#include "language/murphi/parser.h"

namespace spillway::murphi {

// A word that begins something at the outermost level, and nothing inside a rule.
bool Parser::at_item() const {
  return at_any({Word::const_, Word::type_, Word::var_, Word::function_, Word::procedure_,
                 Word::rule_, Word::startstate_, Word::ruleset_, Word::invariant_});
}

bool Parser::at_end_word() const {
  return now().word >= Word::end_ && now().word <= Word::end_while;
}

// A word before which a list of statements has ended.
bool Parser::at_outer_word() const {
  return at_end_word() || at_any({Word::end_of_text, Word::else_, Word::elsif_, Word::case_,
                                  Word::rule_, Word::startstate_, Word::ruleset_, Word::function_,
                                  Word::procedure_, Word::const_, Word::type_, Word::var_});
}

bool Parser::at_statement_keyword() const {
  return at_any({Word::if_, Word::switch_, Word::for_, Word::while_, Word::alias_, Word::clear_,
                 Word::undefine_, Word::error_, Word::assert_, Word::put_, Word::return_});
}

// Each of these passes at least one token, counted from `begin`, where the construct with the error
// begins.

void Parser::skip_item(Index begin) {
  skip(begin, [&] { return at_item(); });
  const Word first = token(begin).word;
  const bool property = first == Word::invariant_ || first == Word::assert_ ||
                        first == Word::assume_ || first == Word::cover_ || first == Word::liveness_;
  if (!property) doubt(begin);
}

template <class Stop>
void Parser::skip_quantifiers(std::optional<Index> begin, Stop stop) {
  for (int open = 0; !at(Word::end_of_text); take()) {
    if (at_any({Word::forall_, Word::exists_})) ++open;
    const bool inside = at_any({Word::end_, Word::end_forall, Word::end_exists}) && open > 0;
    if (inside) --open;
    if (!inside && index() != begin && stop(open == 0)) return;
  }
}

// A property ends with a semicolon, and may have quantifiers with an `end`.
void Parser::skip_rule(Index begin) {
  skip_quantifiers(begin, [&](bool outside) {
    return at_item() || at_end_word() || (outside && at(Word::semicolon));
  });
}

void Parser::skip_statement(Index begin) {
  skip_quantifiers(begin, [&](bool outside) {
    return (outside && at(Word::semicolon)) || at_outer_word() || at_statement_keyword();
  });
}

// Up to a semicolon, or to what begins the next declaration.  Records that begin on the way have
// their own semicolons and `end`.
void Parser::skip_declaration(Index begin) {
  for (int open = 0; !at(Word::end_of_text); take()) {
    if (at(Word::record_)) ++open;
    const bool inside = open > 0 && at_any({Word::end_, Word::end_record, Word::semicolon});
    if (inside && !at(Word::semicolon)) --open;
    if (inside || index() == begin) continue;
    if (at(Word::semicolon) || at_outer_word() || at_statement_keyword() || at(Word::begin_)) break;
  }
  doubt(begin);
}

// Up to one of the words, which is taken, unless something else begins or ends before.
void Parser::skip_to(std::initializer_list<Word> words) {
  skip_quantifiers(std::nullopt, [&](bool outside) {
    return (outside && (at_any(words) || at(Word::semicolon))) || at_outer_word() ||
           at_statement_keyword() || at(Word::begin_);
  });
  if (at_any(words)) take();
}

ExpressionPtr Parser::wrong_expression() const { return node(Form::wrong, now().position); }

TypeNodePtr Parser::wrong_type() const {
  auto result = std::make_unique<TypeNode>();
  result->form = TypeForm::wrong;
  result->position = now().position;
  return result;
}

std::vector<Quantifier> Parser::quantifiers_and_do(const char* what) {
  std::vector<Quantifier> all;
  const Index begin = index();
  const bool fine = attempt([&] {
    do {
      all.push_back(quantifier());
      while (at_any({Word::semicolon, Word::comma})) take();
    } while (at_name());
    expect(Word::do_, what);
  });
  if (fine) return all;
  doubt(begin);
  skip_to({Word::do_});
  Quantifier wrong;
  wrong.name = {"", now().position};
  wrong.type = wrong_type();
  all.push_back(std::move(wrong));
  return all;
}

ExpressionPtr Parser::condition_before(Word word, const char* what) {
  ExpressionPtr result;
  const bool fine = attempt([&] {
    result = expression();
    expect(word, what);
  });
  if (fine) return result;
  skip_to({word});
  return result != nullptr ? std::move(result) : wrong_expression();
}

void Parser::repair_keyword(std::initializer_list<std::string_view> keywords) {
  const bool name = at(Word::name) && ahead(1).word != Word::becomes &&
                    ahead(1).word != Word::equal && ahead(1).word != Word::dot &&
                    ahead(1).word != Word::open_square && ahead(1).word != Word::open_round &&
                    ahead(1).word != Word::colon && ahead(1).word != Word::comma;
  if (!name) return;
  const auto meant = nearest(now().text, std::vector<std::string_view>(keywords));
  if (!meant) return;
  source_.note({now().position, fmt::format("unexpected {}; did you mean {}?", quoted(now().text),
                                            quoted(*meant))});
  change_word(*keyword(*meant));
}

}  // namespace spillway::murphi
