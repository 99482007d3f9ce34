#include "model/compiled_model.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text/printable.h"
#include "model/proposition_names.h"

namespace spillway {
namespace {

// In the order of the numbers in the interface.
constexpr std::array kKinds = {PropertyKind::invariant, PropertyKind::assertion,
                               PropertyKind::cover, PropertyKind::reachable};

constexpr std::size_t kMostSuccessors = std::size_t{1} << 32;  // of one state

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Fault::model, fmt::format("{}: {}", printable(path), why));
}

// Calls a function of the model that writes a text.
template <class Call>
std::string text(const std::string& path, Call call) {
  constexpr std::size_t kLongest = std::size_t{1} << 20;
  std::string buffer(64, '\0');
  std::size_t length = call(buffer.data(), buffer.size());
  if (length > kLongest)
    refuse(path,
           fmt::format("the model returns a name or value of {} bytes, which is too long", length));
  if (length >= buffer.size()) {
    buffer.resize(length + 1);
    length = std::min(call(buffer.data(), buffer.size()), length);
  }
  buffer.resize(length);
  return buffer;
}

Deadlock convention(const std::string& path, std::uint32_t deadlock) {
  switch (deadlock) {
    case SPILLWAY_DEADLOCK_OFF: return Deadlock::off;
    case SPILLWAY_DEADLOCK_STUCK: return Deadlock::stuck;
    case SPILLWAY_DEADLOCK_STUTTERING: return Deadlock::stuttering;
    default:
      refuse(path,
             fmt::format("the model's deadlock convention is {}, which is unknown", deadlock));
  }
}

// The table begins with what every model must have.  From `check` on, there are only pointers,
// which may be NULL.
constexpr std::size_t kLeastBytes = offsetof(spillway_model, check);
static_assert(kLeastBytes % sizeof(void*) == 0 && sizeof(spillway_model) % sizeof(void*) == 0);
// The size of the rows took the place of padding: models from before it load.
static_assert(offsetof(spillway_rows, struct_bytes) + sizeof(std::uint32_t) ==
              sizeof(spillway_rows));

// The table as this version knows it.  A table from before a member was added is shorter.  Of a
// table with more members, the rest is not needed.
spillway_model known_part(const std::string& path, const spillway_model* theirs) {
  if (theirs == nullptr)
    refuse(path, fmt::format("the model does not support version {} of the interface",
                             SPILLWAY_MODEL_ABI));
  if (theirs->abi != SPILLWAY_MODEL_ABI)
    refuse(path, fmt::format("the model was compiled for version {} of the interface, but this is "
                             "version {}: recompile it",
                             theirs->abi, SPILLWAY_MODEL_ABI));
  if (theirs->struct_bytes < kLeastBytes)
    refuse(path,
           fmt::format(
               "the model's table is too short: it has {} bytes, but {} are needed; recompile it",
               theirs->struct_bytes, kLeastBytes));
  spillway_model table{};
  const std::size_t whole_members = theirs->struct_bytes / sizeof(void*) * sizeof(void*);
  std::memcpy(&table, theirs, std::min(whole_members, sizeof table));
  return table;
}

void examine(const std::string& path, const spillway_model* table) {
  if (table->row_words < 1 || table->row_words > SPILLWAY_MAX_ROW_WORDS)
    refuse(path, fmt::format("a row has {} words; it must have 1 to {}", table->row_words,
                             SPILLWAY_MAX_ROW_WORDS));
  if (table->row_bits > std::uint64_t{64} * table->row_words)
    refuse(path, fmt::format("{} bits do not fit in a row of {} words", table->row_bits,
                             table->row_words));
  if (table->initial == nullptr || table->successors == nullptr)
    refuse(path, "the model has no initial() or no successors()");
  if (table->properties != 0 && table->property == nullptr)
    refuse(path, "the model has properties, but does not name them");
}

// Subtracts what a call has counted: the same call counts the same again.
template <class Call>
void take_back(Observed& observed, Call call) {
  Observed again;
  again.make_room(observed.counters.size(), observed.marks.size());
  call(again);
  for (std::size_t i = 0; i < again.counters.size(); ++i) observed.counters[i] -= again.counters[i];
}

}  // namespace

void CompiledModel::Unload::operator()(void* handle) const { dlclose(handle); }

CompiledModel::CompiledModel(const std::string& path) : WholeModel(""), path_(path) {
  // dlopen() would look for a bare name in the directories of the system.
  const std::string absolute = std::filesystem::absolute(path).string();
  handle_.reset(dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle_) refuse(path, fmt::format("cannot load this as a shared object ({})", dlerror()));
  const auto get =
      reinterpret_cast<decltype(&spillway_model_get)>(dlsym(handle_.get(), "spillway_model_get"));
  if (get == nullptr)
    refuse(path, "the object does not export spillway_model_get(): see spillway/model_abi.h");
  table_ = known_part(path, get(SPILLWAY_MODEL_ABI));
  check_and_mark_ =
      reinterpret_cast<decltype(check_and_mark_)>(dlsym(handle_.get(), "spillway_check_and_mark"));
  canonical_ = reinterpret_cast<Canonical>(dlsym(handle_.get(), "spillway_canonical"));
  examine(path, &table_);
  composition_.name =
      table_.name != nullptr ? table_.name : std::filesystem::path(path).stem().string();
  composition_.deadlock = convention(path, table_.deadlock);
  for (std::uint32_t i = 0; i < table_.properties; ++i) {
    const spillway_property& p = table_.property[i];
    if (p.kind >= kKinds.size())
      refuse(path, fmt::format("property {} has the unknown kind {}", i, p.kind));
    composition_.properties.push_back(
        {p.name != nullptr ? p.name : fmt::format("property {}", i), kKinds[p.kind]});
    if (p.kind != SPILLWAY_ASSERTION && table_.check == nullptr)
      refuse(path, "the model has invariants, but no check()");
  }
}

// Calls a function of the model that writes rows, again with more room if it asks for more.
template <class Call>
void CompiledModel::fill(Successors& out, Call call) const {
  // What generated code observes has room behind the rows.  Other models do not look there.
  struct ObservedRows {
    spillway_rows rows;
    std::uint64_t* counters;
    std::uint8_t* marks;
  } observed{};
  spillway_rows& rows = observed.rows;
  const auto make = [&](Observed& in) {
    rows = {out.rows(),       out.rules(),          out.room(), nullptr,
            SPILLWAY_NO_RULE, SPILLWAY_NO_PROPERTY, 0,          sizeof(spillway_rows)};
    observed.counters = in.counters.data();
    observed.marks = in.marks.data();
    return call(&rows);
  };
  std::size_t count = make(out.observed());
  if (count > rows.capacity) {
    take_back(out.observed(), [&](Observed& again) { make(again); });
    if (count > kMostSuccessors)
      refuse(path_, fmt::format("a state has {} successors; at most {} are allowed", count,
                                kMostSuccessors));
    out.make_room(count);
    const std::size_t again = make(out.observed());
    if (again > rows.capacity)
      refuse(path_,
             fmt::format("a state had {} successors at first, but {} when it was expanded again",
                         count, again));
    count = again;
  }
  if (rows.rules != nullptr && table_.rules != 0)
    for (std::size_t i = 0; i < count; ++i) examine_rule(rows.rules[i]);
  if (rows.failure == nullptr)
    out.add(count);
  else
    out.add(count, failure_of(rows));
  if (rows.left_out != 0) out.set_moved();
}

void CompiledModel::examine_rule(RuleIndex rule) const {
  if (table_.rules != 0 && rule >= table_.rules && rule != kNoRule)
    refuse(path_,
           fmt::format("the model used rule {}, but it has only {} rules", rule, table_.rules));
}

Failure CompiledModel::failure_of(const spillway_rows& rows) const {
  examine_rule(rows.failure_rule);
  Failure failure{rows.failure_rule, {}, rows.failure};
  if (rows.failure_property == SPILLWAY_NO_PROPERTY) return failure;
  examine_property(rows.failure_property, true);
  failure.assertion = rows.failure_property;
  return failure;
}

void CompiledModel::examine_property(PropertyIndex property, bool assertion) const {
  const std::string_view noun = assertion ? "assertion" : "invariant";
  if (property >= properties().size() ||
      (properties()[property].kind == PropertyKind::assertion) != assertion)
    refuse(path_, fmt::format("the model reports a violation of {} {}, which does not exist", noun,
                              property));
}

void CompiledModel::initial(Successors& out) const {
  fill(out, [&](spillway_rows* rows) { return table_.initial(rows); });
}

void CompiledModel::successors(State state, Successors& out) const {
  fill(out, [&](spillway_rows* rows) { return table_.successors(state.data(), rows); });
}

std::size_t CompiledModel::check(State state, PropertyIndex* noted, Observed* observed) const {
  std::size_t count = 0;
  if (check_and_mark_ != nullptr && observed != nullptr)
    count = check_and_mark_(state.data(), noted, observed->marks.data());
  else if (table_.check != nullptr)
    count = table_.check(state.data(), noted);
  return count == 0 ? 0 : examined(noted, count);
}

std::size_t CompiledModel::examined(const PropertyIndex* noted, std::size_t count) const {
  if (count > properties().size())
    refuse(path_, "check() reports more violated invariants than there are properties");
  for (std::size_t i = 0; i < count; ++i) examine_property(noted[i], false);
  return count;
}

bool CompiledModel::accepting(State state) const {
  return table_.accepting != nullptr && table_.accepting(state.data()) != 0;
}

Letter CompiledModel::evaluate(State state, std::optional<Failure>& failure) const {
  Letter all = 0;
  if (table_.evaluate == nullptr) return all;
  if (table_.evaluate(state.data(), &all) != 0)
    failure = Failure{kNoRule, {}, "a proposition cannot be evaluated"};
  if (chosen_.empty()) return all;
  Letter letter = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) letter |= (all >> chosen_[i] & 1) << i;
  return letter;
}

void CompiledModel::choose(const std::vector<PropositionText>& propositions) {
  if (propositions.empty()) return;
  std::vector<std::string_view> names;
  for (const char* const* name = table_.proposition; name != nullptr && *name != nullptr; ++name) {
    names.emplace_back(*name);
    if (is_constant(names.back()))
      refuse(path_, fmt::format("'{}' is a constant in formulas and cannot name a proposition",
                                names.back()));
    if (names.size() > kMostPropositions)
      refuse(path_, fmt::format("the model has more than {} propositions", kMostPropositions));
  }
  if (!names.empty() && table_.evaluate == nullptr)
    refuse(path_, "the model has propositions, but no evaluate()");
  chosen_ = chosen_by_name(propositions, names);
}

volatile std::uint32_t* CompiledModel::stop_word() const {
  const auto get =
      reinterpret_cast<volatile std::uint32_t* (*)()>(dlsym(handle_.get(), "spillway_stop_word"));
  return get != nullptr ? get() : nullptr;
}

std::optional<std::string> CompiledModel::property() const {
  if (table_.accepting == nullptr) return std::nullopt;
  return "no accepting cycle";
}

std::string CompiledModel::rule_name(RuleIndex rule) const {
  if (rule == kNoRule) return "start";
  if (table_.rule_name == nullptr) return fmt::format("rule {}", rule);
  const auto write_name = [&](char* room, std::size_t size) {
    return table_.rule_name(rule, room, size);
  };
  return text(path_, write_name);
}

std::vector<Variable> CompiledModel::variables(State state) const {
  std::vector<Variable> all;
  if (table_.variable_value == nullptr) {
    for (std::size_t i = 0; i < state.size(); ++i)
      all.push_back({fmt::format("word[{}]", i), fmt::format("{:#018x}", state[i])});
    return all;
  }
  for (std::uint32_t v = 0; v < table_.variables; ++v) {
    const auto write_name = [&](char* room, std::size_t size) {
      return table_.variable_name(v, room, size);
    };
    const auto write_value = [&](char* room, std::size_t size) {
      return table_.variable_value(state.data(), v, room, size);
    };
    std::string name =
        table_.variable_name != nullptr ? text(path_, write_name) : fmt::format("variable {}", v);
    all.push_back({std::move(name), text(path_, write_value)});
  }
  return all;
}

}  // namespace spillway
