#include "random_murphi.h"

#include <fmt/format.h>

#include <functional>
#include <random>
#include <vector>

namespace spillway {
namespace {

struct Kind {
  enum What { simple, array, record, bag } what = simple;
  std::string name;               // as it is written in the model
  const Kind* index = nullptr;    // array
  const Kind* element = nullptr;  // array, bag
  std::vector<std::pair<std::string, const Kind*>> fields = {};
};

// What is declared in every model.  The first member of a union is what `clear` gives.
const Kind kNumber{Kind::simple, "N"}, kTruth{Kind::simple, "boolean"}, kA{Kind::simple, "A"},
    kB{Kind::simple, "B"}, kEnum{Kind::simple, "E"}, kEnumOrA{Kind::simple, "EA"},
    kAOrB{Kind::simple, "AB"}, kAOrEnum{Kind::simple, "AE"};
const Kind kRecord{Kind::record,
                   "R",
                   nullptr,
                   nullptr,
                   {{"n", &kNumber}, {"a", &kA}, {"u", &kEnumOrA}, {"t", &kTruth}}};
const Kind kNumberOfA{Kind::array, "array [A] of N", &kA, &kNumber};
const Kind kTruthOfA{Kind::array, "array [A] of boolean", &kA, &kTruth};
const Kind kAOfA{Kind::array, "array [A] of A", &kA, &kA};
const Kind kNumberOfB{Kind::array, "array [B] of N", &kB, &kNumber};
const Kind kTable{Kind::array, "array [A] of array [B] of N", &kA, &kNumberOfB};
const Kind kRecordOfA{Kind::array, "array [A] of R", &kA, &kRecord};
const Kind kAOfEnum{Kind::array, "array [E] of A", &kEnum, &kA};
const Kind kNumberOfAny{Kind::array, "array [AB] of N", &kAOrB, &kNumber};
const Kind kBagOfA{Kind::bag, "multiset [3] of A", nullptr, &kA};
const Kind kBagOfRecord{Kind::bag, "multiset [2] of R", nullptr, &kRecord};
const Kind kBagOfUnion{Kind::bag, "multiset [2] of EA", nullptr, &kEnumOrA};
const Kind kBagsOfB{Kind::array, "array [B] of multiset [2] of EA", &kB, &kBagOfUnion};

constexpr const char* kTypes =
    "type A: scalarset(3); B: scalarset(2); E: enum {e0, e1}; N: 0..3;\n"
    "  EA: union {E, A}; AB: union {A, B}; AE: union {A, E}; R: record n: N; a: A; u: EA; t: "
    "boolean; end;\n";

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::string make() {
    std::string text = kTypes;
    const std::vector<const Kind*> all = {
        &kNumber,  &kTruth,       &kA,         &kB,           &kEnum,    &kEnumOrA,   &kAOrB,
        &kAOrEnum, &kRecord,      &kNumberOfA, &kTruthOfA,    &kAOfA,    &kTable,     &kRecordOfA,
        &kAOfEnum, &kNumberOfAny, &kBagOfA,    &kBagOfRecord, &kBagsOfB, &kNumberOfA, &kTruthOfA};
    for (const Kind* kind : {&kA, &kB, &kNumber, &kTruth}) declare(*kind);
    for (int i = in(3, 7); i > 0; --i) declare(*one_of(all));
    text += "var " + declarations_ + "\n";
    function(text, "fb(x: A): boolean", {{"x", &kA, false}}, &kTruth, true);
    function(text, "fa(x: A; y: N): A", {{"x", &kA, false}, {"y", &kNumber, false}}, &kA, true);
    function(text, "fw(x: A): boolean", {{"x", &kA, false}}, &kTruth, false);
    function(text, "pn(var w: N; x: A)", {{"w", &kNumber, true}, {"x", &kA, false}}, nullptr,
             false);
    function(text, "pa(var w: A; x: A)", {{"w", &kA, true}, {"x", &kA, false}}, nullptr, false);
    functions_ = true;
    text += "startstate " + clears_ + "end;\n";
    priorities_ = chance(8);
    for (int i = in(2, 4); i > 0; --i) around(text, [&](std::string& out) { rule(out); });
    for (int i = in(1, 3); i > 0; --i) around(text, [&](std::string& out) { property(out); });
    return text;
  }

 private:
  struct Root {
    std::string text;
    const Kind* kind;
    bool writable;
  };

  int in(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return in(1, 100) <= percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(in(0, static_cast<int>(all.size()) - 1))];
  }
  std::string fresh(const char* prefix) { return prefix + std::to_string(next_++); }

  void declare(const Kind& kind) {
    const std::string name = fresh("v");
    declarations_ += fmt::format("{}: {}; ", name, kind.name);
    clears_ += fmt::format("{} {}; ", chance(80) ? "clear" : "undefine", name);
    roots_.push_back({name, &kind, true});
  }

  // Places and values -----------------------------------------------------------------------------

  // A place of this kind, or nothing.  Elements of bags are roots of their own.
  std::string place(const Kind& kind, int depth, bool written) {
    for (int tries = 0; tries < 12; ++tries) {
      Root at = chance(40) ? roots_.back() : one_of(roots_);
      if (written && !at.writable) continue;
      while (at.kind != &kind && at.kind->what != Kind::simple && at.kind->what != Kind::bag) {
        if (at.kind->what == Kind::record) {
          const auto& [name, field] = one_of(at.kind->fields);
          at = {at.text + "." + name, field, at.writable};
        } else {
          at = {fmt::format("{}[{}]", at.text, value(*at.kind->index, depth + 1)), at.kind->element,
                at.writable};
        }
      }
      if (at.kind == &kind) return at.text;
    }
    return "";
  }

  static bool fits(const Kind& value, const Kind& wanted) {
    if (&value == &wanted) return true;
    const bool identity = &value == &kA || &value == &kB || &value == &kEnum;
    return identity && &wanted != &kA && &wanted != &kB && wanted.what == Kind::simple &&
           &wanted != &kEnum && &wanted != &kNumber && &wanted != &kTruth &&
           (&value != &kB || &wanted == &kAOrB) && (&value != &kEnum || &wanted != &kAOrB);
  }

  std::string value(const Kind& kind, int depth) {
    if (&kind == &kNumber) return number(depth);
    if (&kind == &kTruth) return truth(depth);
    std::vector<std::string> constants;
    for (const Root& one : constants_)
      if (fits(*one.kind, kind)) constants.push_back(one.text);
    if (!constants.empty() && (chance(70) || depth > 3)) return one_of(constants);
    if (&kind == &kA && functions_ && depth < 2 && chance(8))
      return fmt::format("fa({}, {})", value(kA, depth + 1), number(depth + 1));
    if (depth < 4)
      if (const std::string text = place(kind, depth, false); !text.empty()) return text;
    if ((&kind == &kEnum || &kind == &kEnumOrA || &kind == &kAOrEnum) && chance(60))
      return chance(50) ? "e0" : "e1";
    if (!constants.empty()) return one_of(constants);
    if (&kind == &kEnum) return "e0";
    return &kind == &kB ? "v1" : "v0";
  }

  std::string number(int depth) {
    if (depth > 3 || chance(30)) return std::to_string(in(0, 3));
    switch (in(0, 9)) {
      case 0: return fmt::format("(({} + {}) % 4)", number(depth + 1), number(depth + 1));
      case 1:
        return fmt::format(fmt::runtime(chance(80) ? "(({} + 4 - {}) % 4)" : "({} - {})"),
                           number(depth + 1), number(depth + 1));
      case 2:
        return fmt::format(fmt::runtime(chance(80) ? "({} * {} % 4)" : "({} / {})"),
                           number(depth + 1), number(depth + 1));
      case 3:
        return fmt::format("({} ? {} : {})", truth(depth + 1), number(depth + 1),
                           number(depth + 1));
      case 4:
        if (const Root* bag = some_bag(depth))
          return fmt::format("multisetcount({})", each(*bag, depth));
        [[fallthrough]];
      default: {
        const std::string text = place(kNumber, depth, false);
        return text.empty() ? "1" : text;
      }
    }
  }

  std::string truth(int depth) {
    if (depth > 3 || chance(8)) return chance(50) ? "true" : "false";
    switch (in(0, 15)) {
      case 0: return fmt::format("!{}", truth(depth + 1));
      case 1: return fmt::format("({} & {})", truth(depth + 1), truth(depth + 1));
      case 2: return fmt::format("({} | {})", truth(depth + 1), truth(depth + 1));
      case 3: return fmt::format("({} -> {})", truth(depth + 1), truth(depth + 1));
      case 4:
      case 5:
        return fmt::format("({} {} {})", number(depth + 1), chance(50) ? "<" : "=",
                           number(depth + 1));
      case 6:
      case 7: {
        const Kind& kind = *one_of(std::vector<const Kind*>{&kA, &kA, &kB, &kEnumOrA, &kAOrB});
        const std::string text = &kind == &kA || &kind == &kB ? "" : place(kind, depth, false);
        return fmt::format(
            "({} {} {})", text.empty() ? value(&kind == &kB ? kB : kA, depth + 1) : text,
            chance(70) ? "=" : "!=", value(text.empty() && &kind != &kB ? kA : kind, depth + 1));
      }
      case 8:
      case 9:
      case 10: {
        const std::string name = fresh("q");
        const Kind& kind = counted();
        constants_.push_back({name, &kind, false});
        const std::string inner = truth(depth + 1);
        constants_.pop_back();
        return fmt::format("({} {}: {} do {} end)", chance(50) ? "exists" : "forall", name,
                           kind.name, inner);
      }
      case 11: {
        const Kind& kind = *one_of(std::vector<const Kind*>{&kA, &kNumber, &kTruth, &kB});
        const std::string text = place(kind, depth, false);
        return text.empty() ? "true" : fmt::format("isundefined({})", text);
      }
      case 12: {
        const std::string text = place(chance(50) ? kEnumOrA : kAOrB, depth, false);
        return text.empty() ? "false" : fmt::format("ismember({}, A)", text);
      }
      case 13:
        if (functions_ && depth < 3)
          return fmt::format("{}({})", !pure_ && chance(15) ? "fw" : "fb", value(kA, depth + 1));
        [[fallthrough]];
      default: {
        const std::string text = place(kTruth, depth, false);
        return text.empty() ? "true" : text;
      }
    }
  }

  const Kind& counted() {
    return *one_of(
        std::vector<const Kind*>{&kA, &kA, &kA, &kB, &kB, &kAOrB, &kEnumOrA, &kNumber, &kEnum});
  }

  // Bags ------------------------------------------------------------------------------------------

  const Root* some_bag(int depth) {
    for (int tries = 0; tries < 3; ++tries) {
      const Kind& kind = *one_of(std::vector<const Kind*>{&kBagOfA, &kBagOfRecord, &kBagOfUnion});
      const std::string text = place(kind, depth, false);
      if (text.empty()) continue;
      bag_ = {text, &kind, true};
      return &bag_;
    }
    return nullptr;
  }

  // x: bag, condition about x
  std::string each(const Root& some, int depth) {
    const Root bag = some;
    const std::string name = fresh("m");
    roots_.push_back({fmt::format("{}[{}]", bag.text, name), bag.kind->element, false});
    const std::string inner = truth(depth + 1);
    roots_.pop_back();
    return fmt::format("{}: {}, {}", name, bag.text, inner);
  }

  // Statements ------------------------------------------------------------------------------------

  std::string statements(int depth, int most) {
    std::string text;
    for (int i = in(1, most); i > 0; --i) text += statement(depth);
    return text;
  }

  std::string statement(int depth) {
    switch (in(0, 31)) {
      case 0:
      case 1:
        return fmt::format("if {} then {}end; ", truth(1),
                           depth < 3 ? statements(depth + 1, 2) : "");
      case 2:
      case 3:
      case 4:
      case 5:
      case 6: return depth < 3 ? loop(depth) : "";
      case 7: return changes("clear");
      case 8: return changes("undefine");
      case 9:
        if (depth < 3) {
          const std::string text = place(kRecord, 1, true);
          if (text.empty()) return "";
          const std::string name = fresh("s");
          roots_.push_back({name, &kRecord, true});
          const std::string inner = statements(depth + 1, 2);
          roots_.pop_back();
          return fmt::format("alias {}: {} do {}end; ", name, text, inner);
        }
        return "";
      case 10: return chance(30) ? fmt::format("assert {}; ", truth(1)) : "";
      case 11:
        if (chance(20)) return fmt::format("assume {}; ", truth(1));
        return chance(20) ? fmt::format("cover {}; ", truth(1)) : "";
      case 12: return chance(25) ? returns() : "";
      case 13:
        if (functions_) {
          const bool number = chance(50);
          const std::string target = place(number ? kNumber : kA, 1, true);
          if (!target.empty())
            return fmt::format("{}({}, {}); ", number ? "pn" : "pa", target, value(kA, 1));
        }
        return "";
      case 14:
      case 15:
        if (const Root* bag = some_bag(1)) {
          const Root to = *bag;
          if (to.kind->element != &kRecord)
            return fmt::format("multisetadd({}, {}); ", value(*to.kind->element, 1), to.text);
          const std::string from = place(kRecord, 1, false);
          return from.empty() ? "" : fmt::format("multisetadd({}, {}); ", from, to.text);
        }
        return "";
      case 16:
        if (!chosen_.empty()) {
          const auto& [number, bag] = one_of(chosen_);
          return fmt::format("multisetremove({}, {}); ", number, bag);
        }
        return "";
      case 17:
        if (const Root* bag = some_bag(1); bag != nullptr && chance(50))
          return fmt::format("multisetremovepred({}); ", each(*bag, 1));
        return "";
      case 18: {
        const std::string text = place(kNumber, 1, true);
        return text.empty() ? ""
                            : fmt::format("{0} := {0} {1} {2}; ", text, chance(70) ? "+" : "-",
                                          chance(60) ? "1" : number(2));
      }
      case 19: {
        const std::string text = place(kTruth, 1, true);
        return text.empty()
                   ? ""
                   : fmt::format("{0} := {0} {1} {2}; ", text, chance(50) ? "|" : "&", truth(2));
      }
      case 20:
        return fmt::format("switch {} case {}: {}else {}end; ", value(kA, 1), value(kA, 1),
                           statement(3), statement(3));
      default: return assignment();
    }
  }

  std::string assignment() {
    const Kind& kind =
        *one_of(std::vector<const Kind*>{&kNumber, &kTruth, &kA, &kNumber, &kTruth, &kA, &kB,
                                         &kEnumOrA, &kAOrB, &kRecord, &kAOrEnum, &kNumberOfA});
    const std::string text = place(kind, 1, true);
    if (text.empty()) return "";
    const std::string from = kind.what == Kind::simple ? value(kind, 1) : place(kind, 1, false);
    return from.empty() ? "" : fmt::format("{} := {}; ", text, from);
  }

  std::string changes(const char* word) {
    const Kind& kind =
        *one_of(std::vector<const Kind*>{&kA, &kRecord, &kEnumOrA, &kNumber, &kNumberOfA,
                                         &kTruthOfA, &kBagOfA, &kAOrB, &kNumber, &kNumberOfA});
    const std::string text = place(kind, 1, true);
    return text.empty() ? "" : fmt::format("{} {}; ", word, text);
  }

  // Mostly such that it sets what its counter indexes.
  std::string loop(int depth) {
    const std::string name = fresh("i");
    const Kind& kind = counted();
    constants_.push_back({name, &kind, false});
    std::string inner;
    if (chance(65)) {
      const std::vector<Root> before = roots_;
      for (const Root& root : before)
        if (root.writable && root.kind->what == Kind::array && fits(kind, *root.kind->index))
          roots_.push_back({fmt::format("{}[{}]", root.text, name), root.kind->element, true});
      const std::vector<Root> own(roots_.begin() + static_cast<std::ptrdiff_t>(before.size()),
                                  roots_.end());
      if (!own.empty() && chance(85)) roots_ = own;  // nothing else is touched
      inner = statements(depth + 1, 2);
      roots_ = before;
    } else {
      inner = chance(15) ? fmt::format("if {} then return{}; end; ", truth(2),
                                       result_ == &kTruth   ? " true"
                                       : result_ == nullptr ? ""
                                                            : " " + value(*result_, 2))
                         : statements(depth + 1, 2);
    }
    constants_.pop_back();
    return fmt::format("for {}: {} do {}end; ", name, kind.name, inner);
  }

  std::string returns() {
    return result_ == nullptr ? "return; " : fmt::format("return {}; ", value(*result_, 1));
  }

  // Rules, functions, properties ------------------------------------------------------------------

  struct Parameter {
    const char* name;
    const Kind* kind;
    bool variable;
  };
  void function(std::string& text, const char* head, const std::vector<Parameter>& parameters,
                const Kind* result, bool pure) {
    const std::vector<Root> before = roots_;
    for (const Parameter& one : parameters) {
      if (one.variable)
        roots_.push_back({one.name, one.kind, true});
      else
        constants_.push_back({one.name, one.kind, false});
    }
    result_ = result;
    std::string body;
    if (!pure) body = statements(1, 2);
    if (result != nullptr)
      body += (pure && chance(40) ? fmt::format("for k: A do if {} then return {}; end; end; ",
                                                truth_of("k"), result == &kTruth ? "false" : "x")
                                  : "") +
              returns();
    text += fmt::format("{} {}; begin {}end;\n", result == nullptr ? "procedure" : "function", head,
                        body);
    result_ = nullptr;
    roots_ = before;
    constants_.clear();
  }
  std::string truth_of(const char* name) {
    constants_.push_back({name, &kA, false});
    std::string text = truth(1);
    constants_.pop_back();
    return text;
  }

  // Rulesets, and elements that are chosen.
  void around(std::string& out, const std::function<void(std::string&)>& inner) {
    const std::vector<Root> roots = roots_;
    std::string ends;
    for (int i = in(0, 2); i > 0; --i) {
      const std::string name = fresh("p");
      const Kind& kind = *one_of(std::vector<const Kind*>{&kA, &kA, &kB, &kAOrB});
      out += fmt::format("ruleset {}: {} do ", name, kind.name);
      constants_.push_back({name, &kind, false});
      ends += "end; ";
    }
    for (int i = chance(35) ? in(1, 2) : 0; i > 0; --i) {
      pure_ = true;
      const Root* bag = some_bag(2);
      pure_ = false;
      if (bag == nullptr) continue;
      const std::string name = fresh("c");
      out += fmt::format("choose {}: {} do ", name, bag->text);
      roots_.push_back({fmt::format("{}[{}]", bag->text, name), bag->kind->element, true});
      chosen_.emplace_back(name, bag->text);
      ends += "end; ";
    }
    inner(out);
    out += ends + "\n";
    roots_ = roots;
    constants_.clear();
    chosen_.clear();
  }

  void rule(std::string& out) {
    pure_ = true;
    const std::string guard = chance(70) ? truth(0) : "true";
    pure_ = false;
    const std::vector<Root> before = roots_;
    std::string locals;
    for (int i = in(0, 2); i > 0; --i) {
      const Kind& kind =
          *one_of(std::vector<const Kind*>{&kNumber, &kA, &kRecord, &kNumberOfA, &kTruth});
      const std::string name = fresh("l");
      locals += fmt::format("var {}: {}; ", name, kind.name);
      roots_.push_back({name, &kind, true});
    }
    const std::string body = statements(0, 4);
    roots_ = before;
    out += fmt::format("rule {}\"{}\" {} ==> {}begin {}end; ",
                       priorities_ ? std::to_string(in(0, 1)) + " " : "", fresh("r"), guard, locals,
                       body);
  }

  void property(std::string& out) {
    static const std::vector<std::string> words = {"invariant", "invariant", "cover", "assume",
                                                   "liveness"};
    pure_ = true;
    out += fmt::format("{} \"{}\" {}; ", one_of(words), fresh("w"), truth(0));
    pure_ = false;
  }

  std::mt19937_64 random_;
  int next_ = 0;
  std::string declarations_, clears_;
  std::vector<Root> roots_;      // variables, aliases, elements of bags
  std::vector<Root> constants_;  // counters and parameters
  std::vector<std::pair<std::string, std::string>> chosen_;
  Root bag_{};
  const Kind* result_ = nullptr;
  bool pure_ = false, functions_ = false, priorities_ = false;
};

}  // namespace

std::string random_murphi(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace spillway
