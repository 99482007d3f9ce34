#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "language/build.h"
#include "language/murphi/declaration_lowering.h"

namespace spillway::murphi {

void DeclarationLowering::lower_global(const Declaration& declaration) {
  const bool fine = attempt([&] {
    switch (declaration.form) {
      case DeclarationForm::constant: return declare_constant(declaration);
      case DeclarationForm::type: return declare_type(declaration);
      case DeclarationForm::variable: return declare_variables(declaration);
    }
  });
  if (!fine) spoil(declaration);
}

void DeclarationLowering::spoil(const Declaration& declaration) {
  if (declaration.value != nullptr) examine_names(*declaration.value);
  if (declaration.type != nullptr) examine_names(*declaration.type);
  for (const Name& name : declaration.names) declare_wrong(name);
}

void DeclarationLowering::lower_locals(const std::vector<Declaration>& declarations) {
  for (const Declaration& declaration : declarations)
    if (!attempt([&] { lower_local(declaration); })) spoil(declaration);
}

void DeclarationLowering::lower_local(const Declaration& declaration) {
  if (declaration.form == DeclarationForm::constant) return declare_constant(declaration);
  if (declaration.form == DeclarationForm::type) return declare_type(declaration);
  const Type* type = resolve(*declaration.type, {});
  for (const Name& name : declaration.names) {
    Symbol& symbol = declare(Means::local, name, type);
    symbol.index = slot(name, type, program::Holds::value);
  }
}

void DeclarationLowering::declare_constant(const Declaration& declaration) {
  auto [value, type] = constant(*declaration.value, "the value of a constant");
  for (const Name& name : declaration.names) {
    Symbol& symbol = declare(Means::constant, name, type);
    symbol.value = value;
    const auto instead = options_.constants.find(name.text);
    if (!symbol.global || instead == options_.constants.end()) continue;
    if (sort(type) == Sort::symbol ||
        (sort(type) == Sort::truth && instead->second != 0 && instead->second != 1) ||
        instead->second == program::kUndefined)
      throw Error(Fault::usage, fmt::format("--const {}={}: the constant is {}", name.text,
                                            instead->second, types_.shown(type)));
    symbol.value = instead->second;
  }
}

void DeclarationLowering::check_overrides() const {
  for (const auto& [name, value] : options_.constants) {
    const Symbol* symbol = scopes_.find(name);
    if (symbol != nullptr && symbol->means == Means::constant && sort(symbol->type) != Sort::symbol)
      continue;
    std::vector<std::string_view> known;
    for (const Symbol& one : scopes_.globals())
      if (one.means == Means::constant && sort(one.type) != Sort::symbol) known.push_back(one.name);
    throw Error(Fault::usage,
                fmt::format("--const {}={}: the model has no constant {}{}", printable(name), value,
                            quoted(name), did_you_mean(name, std::move(known))));
  }
}

void DeclarationLowering::declare_type(const Declaration& declaration) {
  const Type* type = resolve(*declaration.type, declaration.names.front().text);
  for (const Name& name : declaration.names) declare(Means::type, name, type);
}

void DeclarationLowering::declare_variables(const Declaration& declaration) {
  const Type* type = resolve(*declaration.type, {});
  const Extent extent = types_.extent(type);
  for (const Name& name : declaration.names) {
    Symbol& symbol = declare(Means::variable, name, type);
    symbol.index = add_variable(name.text, type, extent.bits, extent.cells, name.position);
  }
}

namespace {

// Whether the end of the body is never reached.
bool always_leaves(const program::Body& body) {
  if (body.empty()) return false;
  const program::Statement& last = *body.back();
  if (last.what == program::Do::leave || last.what == program::Do::fail) return true;
  return last.what == program::Do::choose && last.branches.back().condition == nullptr &&
         std::all_of(last.branches.begin(), last.branches.end(),
                     [](const program::Branch& branch) { return always_leaves(branch.body); });
}

}  // namespace

void DeclarationLowering::lower_function(const FunctionNode& node) {
  if (node.name.text.empty()) return;  // it has an error
  const auto index = static_cast<std::uint32_t>(program_.functions.size());
  if (!attempt([&] { declare(Means::function, node.name, nullptr).index = index; })) return;
  program::Function& function = program_.functions.emplace_back();
  function.name = node.name.text;
  function.position = node.name.position;
  functions_.emplace_back();

  program::Frame frame;
  context_ = Context{.frame = &frame, .function = index};
  scopes_.push();
  functions_[index].wrong = node.wrong;
  if (!attempt([&] { lower_parameters(node, index); })) functions_[index].wrong = true;
  lower_locals(node.declarations);
  Body body;
  lower_statements(node.body, body);
  if (node.result != nullptr && !always_leaves(body)) {
    body.push_back(statement(program::Do::fail, node.name.position));
    body.back()->text =
        fmt::format("the function {} ends without a return", quoted(node.name.text));
  }
  scopes_.pop();
  context_ = {};
  if (functions_[index].wrong) return;
  finish_effects(functions_[index]);
  if (!has_effects(functions_[index])) pass_copies(functions_[index], frame);
  program_.functions[index].frame = std::move(frame);
  program_.functions[index].body = std::move(body);
}

// Where the parameters and the result are declared, a name of a type still means the type, even if
// a parameter has the same name.
void DeclarationLowering::lower_parameters(const FunctionNode& node, std::uint32_t index) {
  std::vector<const Type*> types;
  FunctionInfo& info = functions_[index];
  const auto resolved = [&](const TypeNode& type) -> const Type* {
    const Type* result = nullptr;
    if (!attempt([&] { result = resolve(type, {}); })) {
      info.wrong = true;
      examine_names(type);
    }
    return result;
  };
  for (const ParameterNode& parameter : node.parameters) types.push_back(resolved(*parameter.type));
  if (node.result != nullptr) info.result = resolved(*node.result);
  program_.functions[index].result = info.result;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ParameterNode& parameter = node.parameters[i];
    const bool reference =
        parameter.by_reference ||
        (habits_.passes_by_reference && types[i] != nullptr && !types[i]->is_scalar());
    for (const Name& name : parameter.names) {
      if (types[i] == nullptr) {
        declare_wrong(name);
        continue;
      }
      Symbol& symbol = declare(Means::local, name, types[i]);
      symbol.read_only = !parameter.by_reference;
      symbol.parameter = reference;
      symbol.index =
          slot(name, types[i], reference ? program::Holds::reference : program::Holds::value);
      info.parameters.push_back({types[i], parameter.by_reference, reference, false});
    }
  }
  program_.functions[index].parameters = info.parameters.size();
}

bool DeclarationLowering::has_effects(const FunctionInfo& info) {
  return info.writes_state || info.calls_itself ||
         std::any_of(info.parameters.begin(), info.parameters.end(),
                     [](const auto& one) { return one.written; });
}

// Copying a record instead of referring to it makes no difference if nothing changes meanwhile. And
// what is copied need not be a variable.
void DeclarationLowering::pass_copies(FunctionInfo& info, program::Frame& frame) {
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    if (info.parameters[i].variable) continue;
    info.parameters[i].reference = false;
    frame[i].holds = program::Holds::value;
  }
}

// A recursive function that changes a parameter also changes what it passes to itself there.
void DeclarationLowering::finish_effects(FunctionInfo& info) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const SelfPass& pass : info.self_passes) {
      if (!info.parameters[pass.to].written) continue;
      bool written = pass.from ? info.parameters[*pass.from].written : info.writes_state;
      if (written) continue;
      changed = true;
      if (pass.from)
        info.parameters[*pass.from].written = true;
      else
        info.writes_state = true;
    }
  }
  info.complete = true;
}

}  // namespace spillway::murphi
