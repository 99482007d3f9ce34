#include "language/murphi/parser.h"

namespace spillway::murphi {
namespace {

TypeNodePtr make(TypeForm form, Position position) {
  auto result = std::make_unique<TypeNode>();
  result->form = form;
  result->position = position;
  return result;
}

}  // namespace

std::vector<Declaration> Parser::declarations() {
  std::vector<Declaration> list;
  while (at_declaration()) {
    const Word section = take().word;
    skip_semicolons();
    for (;;) {
      repair_keyword({"const", "type", "var", "function", "procedure", "rule", "startstate",
                      "invariant", "ruleset", "begin"});
      if (!at_name() || at_rule()) break;
      Declaration one;
      const Index begin = index();
      if (!attempt([&] { declaration(section, one); })) {
        skip_declaration(begin);
        if (section == Word::const_)
          one.value = wrong_expression();
        else
          one.type = wrong_type();
      }
      list.push_back(std::move(one));
      skip_semicolons();
    }
  }
  return list;
}

void Parser::declaration(Word section, Declaration& declaration) {
  switch (section) {
    case Word::const_: declaration.form = DeclarationForm::constant; break;
    case Word::type_: declaration.form = DeclarationForm::type; break;
    default: declaration.form = DeclarationForm::variable; break;
  }
  declaration.names = names("a name");
  expect(Word::colon, "':'");
  if (section == Word::const_)
    declaration.value = expression();
  else
    declaration.type = type();
}

TypeNodePtr Parser::type() {
  const Deeper deeper(*this);
  TypeNodePtr result = any_type();
  std::uint32_t deepest = 0;
  for (const ExpressionPtr* part : {&result->from, &result->to})
    if (*part != nullptr) deepest = std::max(deepest, (*part)->depth);
  for (const TypeNodePtr* part : {&result->index, &result->element})
    if (*part != nullptr) deepest = std::max(deepest, (*part)->depth);
  for (const TypeNodePtr& member : result->members) deepest = std::max(deepest, member->depth);
  for (const FieldNode& field : result->fields) deepest = std::max(deepest, field.type->depth);
  result->depth = deepest + 1;
  return result;
}

TypeNodePtr Parser::any_type() {
  const Position position = now().position;
  const Word after = ahead(1).word;
  switch (now().word) {
    case Word::boolean_: take(); return make(TypeForm::boolean, position);
    case Word::enum_: {
      take();
      TypeNodePtr result = make(TypeForm::enumeration, position);
      expect(Word::open_curly, "'{'");
      while (!at(Word::close_curly)) {
        result->names.push_back(name("the name of a value"));
        if (!accept(Word::comma)) break;
      }
      expect(Word::close_curly, "'}' or ','");
      return result;
    }
    case Word::record_: return record_type();
    case Word::array_: return array_type();
    case Word::scalarset_: {
      take();
      TypeNodePtr result = make(TypeForm::scalarset, position);
      expect(Word::open_round, "'('");
      result->to = expression();
      expect(Word::close_round, "')'");
      return result;
    }
    case Word::union_:
      if (after == Word::open_curly) return union_type();
      break;
    case Word::multiset_:
      if (after == Word::open_square) return multiset_type();
      break;
    case Word::real_:
      if (after == Word::open_round)
        refuse(position, "real numbers are not supported, because states must be finite");
      break;
    default: break;
  }
  ExpressionPtr from = expression();
  if (accept(Word::dot_dot)) {
    TypeNodePtr result = make(TypeForm::range, position);
    result->from = std::move(from);
    result->to = expression();
    return result;
  }
  if (from->form != Form::name) refuse_here("'..' and the upper bound of the range");
  TypeNodePtr result = make(TypeForm::name, position);
  result->name = std::move(from->name);
  return result;
}

TypeNodePtr Parser::record_type() {
  const Index first = index();
  TypeNodePtr result = make(TypeForm::record, take().position);
  skip_semicolons();
  while (at_name()) {
    FieldNode field;
    const Index begin = index();
    const bool fine = attempt([&] {
      field.names = names("the name of a field");
      expect(Word::colon, "':'");
      field.type = type();
    });
    if (!fine) {
      skip_declaration(begin);
      field.type = wrong_type();
    }
    result->fields.push_back(std::move(field));
    skip_semicolons();
  }
  end_of(Word::end_record, "record", first);
  return result;
}

TypeNodePtr Parser::array_type() {
  TypeNodePtr result = make(TypeForm::array, take().position);
  expect(Word::open_square, "'['");
  result->index = type();
  expect(Word::close_square, "']'");
  expect(Word::of_, "'of'");
  result->element = type();
  return result;
}

TypeNodePtr Parser::union_type() {
  only_cmurphi_ = true;
  TypeNodePtr result = make(TypeForm::union_, take().position);
  expect(Word::open_curly, "'{'");
  result->members = list([&] { return type(); });
  expect(Word::close_curly, "'}' or ','");
  return result;
}

TypeNodePtr Parser::multiset_type() {
  only_cmurphi_ = true;
  TypeNodePtr result = make(TypeForm::multiset, take().position);
  expect(Word::open_square, "'['");
  result->to = expression();
  expect(Word::close_square, "']'");
  expect(Word::of_, "'of'");
  result->element = type();
  return result;
}

std::unique_ptr<FunctionNode> Parser::function() {
  const Index first = index();
  const bool has_result = take().word == Word::function_;
  auto result = std::make_unique<FunctionNode>();
  if (!attempt([&] { head(*result, has_result); })) {
    result->wrong = true;
    while (!at_any({Word::begin_, Word::end_of_text, Word::rule_, Word::startstate_, Word::ruleset_,
                    Word::function_, Word::procedure_}) &&
           !at_end_word())
      take();
    doubt(first);
  }
  skip_semicolons();
  result->declarations = declarations();
  accept(Word::begin_);
  result->body = statements();
  end_of(has_result ? Word::end_function : Word::end_procedure,
         has_result ? "function" : "procedure", first);
  return result;
}

void Parser::head(FunctionNode& function, bool has_result) {
  function.name = name(has_result ? "the name of a function" : "the name of a procedure");
  parameters(function);
  if (!has_result) return;
  expect(Word::colon, "':' and the type of the result");
  function.result = type();
}

void Parser::parameters(FunctionNode& function) {
  expect(Word::open_round, "'('");
  skip_semicolons();
  while (at_name() || at(Word::var_)) {
    ParameterNode parameter;
    parameter.by_reference = accept(Word::var_);
    parameter.names = names("the name of a parameter");
    expect(Word::colon, "':'");
    parameter.type = type();
    function.parameters.push_back(std::move(parameter));
    while (at_any({Word::semicolon, Word::comma})) take();
  }
  expect(Word::close_round, "')'");
}

}  // namespace spillway::murphi
