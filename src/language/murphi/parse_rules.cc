#include "language/murphi/parser.h"

namespace spillway::murphi {
namespace {

std::unique_ptr<RuleNode> make(RuleForm form, Position position) {
  auto result = std::make_unique<RuleNode>();
  result->form = form;
  result->position = position;
  return result;
}

}  // namespace

// Keywords of one dialect may be names in the other: `cover : boolean` declares a variable.
bool Parser::at_rule() const {
  const Word after = ahead(1).word;
  switch (now().word) {
    case Word::rule_:
    case Word::startstate_:
    case Word::invariant_:
    case Word::assert_:
    case Word::ruleset_:
    case Word::alias_: return true;
    case Word::assume_:
    case Word::cover_:
    case Word::liveness_: return after != Word::colon && after != Word::comma;
    case Word::choose_: return Grammar::may_be_name(after);
    default: return false;
  }
}

std::unique_ptr<RuleNode> Parser::rule() {
  const Deeper deeper(*this);
  switch (now().word) {
    case Word::rule_:
    case Word::startstate_: return simple_rule();
    case Word::ruleset_: return ruleset();
    case Word::alias_: return alias_rule();
    case Word::choose_: return choose_rule();
    default: return property();
  }
}

std::vector<std::unique_ptr<RuleNode>> Parser::rules() {
  std::vector<std::unique_ptr<RuleNode>> list;
  for (;;) {
    skip_semicolons();
    const Index begin = index();
    repair_keyword({"rule", "startstate", "invariant", "ruleset", "alias"});
    if (at_rule()) {
      if (!attempt([&] { list.push_back(rule()); })) skip_rule(begin);
      continue;
    }
    if (at_end_word() || at_item() || at(Word::end_of_text)) return list;
    source_.note({now().position, wrong_here("a rule, a property or 'end'")});
    skip_rule(begin);
  }
}

// Looks for '==>' without parsing the expression before it, because a rule may begin with a
// statement instead.
bool Parser::guard_follows() const {
  int open = 0;  // quantifiers; they have an 'end' and may have a ':='
  for (std::size_t i = 0;; ++i) {
    switch (ahead(i).word) {
      case Word::then_fires: return true;
      case Word::forall_:
      case Word::exists_: ++open; break;
      case Word::end_:
      case Word::end_forall:
      case Word::end_exists:
        if (open-- == 0) return false;
        break;
      case Word::becomes:
        if (open == 0) return false;
        break;
      case Word::semicolon:
        if (open == 0) return false;
        break;
      case Word::end_of_text:
      case Word::begin_:
      case Word::const_:
      case Word::type_:
      case Word::var_:
      case Word::if_:
      case Word::switch_:
      case Word::for_:
      case Word::while_:
      case Word::alias_:
      case Word::clear_:
      case Word::undefine_:
      case Word::error_:
      case Word::assert_:
      case Word::invariant_:
      case Word::put_:
      case Word::return_:
      case Word::rule_:
      case Word::ruleset_:
      case Word::startstate_:
      case Word::end_rule:
      case Word::end_startstate: return false;
      default: break;
    }
  }
}

std::unique_ptr<RuleNode> Parser::simple_rule() {
  const Index first = index();
  const Token begin = take();
  const bool start = begin.word == Word::startstate_;
  auto result = make(start ? RuleForm::startstate : RuleForm::rule, begin.position);
  if (!start && at(Word::number) && ahead(1).word == Word::text) {
    has_priorities_ = true;
    result->priority = take().value;
  }
  if (at(Word::text)) {
    result->name = take().text;
    result->has_name = true;
  }
  skip_semicolons();
  if (!start && guard_follows()) {
    result->guard = guard();
  }
  skip_semicolons();
  result->declarations = declarations();
  accept(Word::begin_);
  result->body = statements();
  end_of(start ? Word::end_startstate : Word::end_rule, start ? "startstate" : "rule", first);
  return result;
}

// REQUIRES: there is a '==>'.
ExpressionPtr Parser::guard() {
  ExpressionPtr result;
  const bool fine = attempt([&] {
    result = expression();
    expect(Word::then_fires, "'==>' after the guard");
  });
  if (fine) return result;
  while (!at_any({Word::then_fires, Word::end_of_text})) take();
  accept(Word::then_fires);
  return result != nullptr ? std::move(result) : wrong_expression();
}

std::unique_ptr<RuleNode> Parser::property() {
  const Token begin = take();
  auto result = make(RuleForm::property, begin.position);
  switch (begin.word) {
    case Word::assume_: result->property = PropertyForm::assume; break;
    case Word::cover_: result->property = PropertyForm::cover; break;
    case Word::liveness_: result->property = PropertyForm::liveness; break;
    default: break;
  }
  if (at(Word::text)) {
    result->name = take().text;
    result->has_name = true;
    skip_semicolons();
  }
  const std::string_view first = now().text;
  if (begin.word == Word::liveness_ && (first == "ALWAYS" || first == "EVENTUALLY") &&
      ahead(1).word != Word::dot)
    refuse(now().position,
           "formulas with ALWAYS and EVENTUALLY are not supported: 'liveness p' means that a state "
           "where p holds can be reached from every state");
  result->guard = expression();
  if (!result->has_name && at(Word::text)) {
    result->name = take().text;
    result->has_name = true;
  }
  return result;
}

std::unique_ptr<RuleNode> Parser::ruleset() {
  const Index first = index();
  auto result = make(RuleForm::ruleset, take().position);
  result->quantifiers = quantifiers_and_do("'do' or another parameter");
  result->rules = rules();
  end_of(Word::end_ruleset, "ruleset", first);
  return result;
}

std::unique_ptr<RuleNode> Parser::alias_rule() {
  const Index first = index();
  auto result = make(RuleForm::alias, take().position);
  result->aliases = aliases_and_do();
  result->rules = rules();
  end_of(Word::end_alias, "alias", first);
  return result;
}

std::unique_ptr<RuleNode> Parser::choose_rule() {
  const Index first = index();
  auto result = make(RuleForm::choose, take().position);
  const bool fine = attempt([&] {
    result->element = name("the name of an element");
    expect(Word::colon, "':'");
    result->guard = designator();
    skip_semicolons();
    expect(Word::do_, "'do'");
  });
  if (!fine) {
    doubt(first);
    skip_to({Word::do_});
    if (result->guard == nullptr) result->guard = wrong_expression();
  }
  result->rules = rules();
  end_of(Word::end_choose, "choose", first);
  return result;
}

}  // namespace spillway::murphi
