#include "program/c/c_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace spillway::program {
namespace {

constexpr std::string_view kNumber = "INT64_C(";

std::string named(std::string text, std::size_t rule) {
  const std::string name = fmt::format("r{}", rule);
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at))
    text.replace(at, 1, name);
  return text;
}

}  // namespace

void CShapes::add(const std::string& text) {
  Rule& rule = rules_.emplace_back();
  std::size_t from = 0;
  for (std::size_t at = text.find(kNumber); at != std::string::npos;
       at = text.find(kNumber, from)) {
    const std::size_t end = text.find(')', at);
    rule.pieces.push_back(text.substr(from, at - from));
    rule.numbers.push_back(text.substr(at + kNumber.size(), end - at - kNumber.size()));
    from = end + 1;
  }
  rule.pieces.push_back(text.substr(from));
}

void CShapes::add_alone(const std::string& text) {
  add(text);
  rules_.back().alone = true;
}

std::string CShapes::text() {
  std::map<std::vector<std::string>, std::size_t> known;
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    rules_[i].leader = rules_[i].alone ? i : known.try_emplace(rules_[i].pieces, i).first->second;
    members[rules_[i].leader].push_back(i);
  }
  std::string out;
  for (const auto& [leader, all] : members) share(all, out);
  return out;
}

// Only numbers that differ between rules are looked up at run time.
void CShapes::share(const std::vector<std::size_t>& members, std::string& out) {
  const Rule& leader = rules_[members.front()];
  std::string text = leader.pieces.front();
  std::vector<std::size_t> different;
  for (std::size_t k = 0; k < leader.numbers.size(); ++k) {
    const bool same = std::all_of(members.begin(), members.end(), [&](std::size_t member) {
      return rules_[member].numbers[k] == leader.numbers[k];
    });
    text += same ? fmt::format("{}{})", kNumber, leader.numbers[k])
                 : fmt::format("x->c[{}]", different.size());
    if (!same) different.push_back(k);
    text += leader.pieces[k + 1];
  }
  out += named(std::move(text), members.front());
  if (different.empty()) return;
  for (const std::size_t member : members) {
    Rule& rule = rules_[member];
    out += fmt::format("static const V c{}[] = {{", member);
    for (const std::size_t k : different) out += fmt::format("{}{}),", kNumber, rule.numbers[k]);
    out += "};\n";
    rule.preparation = fmt::format("x->c = c{}; ", member);
  }
}

}  // namespace spillway::program
