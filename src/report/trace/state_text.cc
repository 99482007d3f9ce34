#include "report/trace/state_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/printable.h"

namespace spillway {
namespace {

constexpr std::size_t kLongLine = 100;
constexpr std::size_t kLongMessage = 200;  // of a record that comes or goes as a whole

// What is said of something inside a variable: the way to it, and the words.
struct Saying {
  std::string path;
  std::string text;
  bool operator==(const Saying&) const = default;
};
using Sayings = std::vector<Saying>;

bool is_undefined(const StatePart& part) {
  if (part.kind == StatePart::Kind::scalar) return !part.defined;
  if (part.kind == StatePart::Kind::bag || part.parts.empty()) return false;
  return std::ranges::all_of(part.parts, is_undefined);
}

bool same(const StatePart& a, const StatePart& b) {
  return a.value == b.value && a.defined == b.defined && a.parts.size() == b.parts.size() &&
         std::ranges::equal(a.parts, b.parts, same);
}

std::string inline_text(const StatePart& part);

// "2 x {kind=Get}, {kind=Put}": equal ones are counted.
std::string elements_text(const std::vector<StatePart>& elements) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (const StatePart& element : elements) {
    const std::string text = inline_text(element);
    const auto found = std::ranges::find(counted, text, [](const auto& one) { return one.first; });
    if (found == counted.end())
      counted.emplace_back(text, 1);
    else
      ++found->second;
  }
  std::string all;
  for (const auto& [text, count] : counted)
    all += fmt::format("{}{}{}", all.empty() ? "" : ", ",
                       count == 1 ? "" : fmt::format("{} x ", count), text);
  return all;
}

std::string inline_text(const StatePart& part) {
  if (part.kind != StatePart::Kind::scalar && is_undefined(part)) return "undefined";
  switch (part.kind) {
    case StatePart::Kind::scalar: return printable(part.value);
    case StatePart::Kind::bag:
      return part.parts.empty() ? "empty" : fmt::format("<{}>", elements_text(part.parts));
    case StatePart::Kind::array: {
      std::string all;
      for (const StatePart& element : part.parts)
        all += fmt::format("{}{}", all.empty() ? "" : ", ", inline_text(element));
      return fmt::format("[{}]", all);
    }
    case StatePart::Kind::record: {
      std::string all;
      for (const StatePart& field : part.parts)
        if (!is_undefined(field))
          all += fmt::format("{}{}={}", all.empty() ? "" : ", ", printable(field.name),
                             inline_text(field));
      return fmt::format("{{{}}}", all);
    }
  }
  return "";
}

// Appends what is said of a field or an element, which lies at `step` in the whole.
void append(Sayings& to, const std::string& step, const Sayings& sayings) {
  for (const Saying& saying : sayings) to.push_back({step + saying.path, saying.text});
}

// What `say` says of each element of an array; neighbours of which the same is said share it.
template <class Say>
Sayings of_elements(const std::vector<StatePart>& elements, std::string_view of_all,
                    const Say& say) {
  Sayings all;
  for (std::size_t i = 0; i < elements.size();) {
    const Sayings said = say(i);
    std::size_t end = i + 1;
    while (!said.empty() && end < elements.size() && say(end) == said) ++end;
    const std::string first = printable(elements[i].name);
    if (end == i + 1) {
      append(all, fmt::format("[{}]", first), said);
    } else {
      const std::string step = fmt::format("[{}..{}]", first, printable(elements[end - 1].name));
      for (const Saying& saying : said)
        all.push_back({step + saying.path, std::string(of_all) + saying.text});
    }
    i = end;
  }
  return all;
}

Sayings sayings_of(const StatePart& part) {
  if (part.kind == StatePart::Kind::array)
    return of_elements(part.parts, "all ",
                       [&](std::size_t i) { return sayings_of(part.parts[i]); });
  std::string text = part.kind == StatePart::Kind::bag && !part.parts.empty()
                         ? elements_text(part.parts)
                         : inline_text(part);
  if (part.kind != StatePart::Kind::record || text.size() <= kLongLine)
    return {{"", std::move(text)}};
  Sayings all;
  for (const StatePart& field : part.parts)
    append(all, "." + printable(field.name), sayings_of(field));
  return all;
}

// "+{kind=Get} -{kind=Put}"
std::string bag_changes(const StatePart& before, const StatePart& after) {
  const auto texts = [](const StatePart& bag) {
    std::vector<std::string> all;
    for (const StatePart& element : bag.parts) all.push_back(inline_text(element));
    std::ranges::sort(all);
    return all;
  };
  const std::vector<std::string> old_ones = texts(before), new_ones = texts(after);
  std::vector<std::string> came, went;
  std::ranges::set_difference(new_ones, old_ones, std::back_inserter(came));
  std::ranges::set_difference(old_ones, new_ones, std::back_inserter(went));
  std::string all;
  for (const std::string& text : came) all += fmt::format("{}+{}", all.empty() ? "" : " ", text);
  for (const std::string& text : went) all += fmt::format("{}-{}", all.empty() ? "" : " ", text);
  return all;
}

Sayings changes_of(const StatePart& before, const StatePart& after);

Sayings record_changes(const StatePart& before, const StatePart& after) {
  if (is_undefined(before) || is_undefined(after)) {
    std::string text = fmt::format("{} -> {}", inline_text(before), inline_text(after));
    if (text.size() <= kLongMessage) return {{"", std::move(text)}};
  }
  Sayings all;
  for (std::size_t i = 0; i < after.parts.size(); ++i)
    append(all, "." + printable(after.parts[i].name), changes_of(before.parts[i], after.parts[i]));
  if (all.size() < 2) return all;
  std::string together;
  for (const Saying& saying : all)
    together +=
        fmt::format("{}{}: {}", together.empty() ? "" : ", ", saying.path.substr(1), saying.text);
  return together.size() <= kLongLine ? Sayings{{"", std::move(together)}} : all;
}

Sayings changes_of(const StatePart& before, const StatePart& after) {
  if (same(before, after)) return {};
  switch (after.kind) {
    case StatePart::Kind::scalar:
      return {{"", fmt::format("{} -> {}", inline_text(before), inline_text(after))}};
    case StatePart::Kind::bag: {
      std::string text = bag_changes(before, after);
      return text.empty() ? Sayings{} : Sayings{{"", std::move(text)}};
    }
    case StatePart::Kind::array:
      return of_elements(after.parts, "", [&](std::size_t i) {
        return changes_of(before.parts[i], after.parts[i]);
      });
    case StatePart::Kind::record: return record_changes(before, after);
  }
  return {};
}

void add_lines(std::vector<std::string>& lines, const StatePart& variable, const Sayings& sayings) {
  for (const Saying& saying : sayings)
    lines.push_back(fmt::format("{}{}: {}", printable(variable.name), saying.path, saying.text));
}

}  // namespace

std::vector<std::string> state_lines(const std::vector<StatePart>& state) {
  std::vector<std::string> lines;
  for (const StatePart& variable : state) add_lines(lines, variable, sayings_of(variable));
  return lines;
}

std::vector<std::string> change_lines(const std::vector<StatePart>& before,
                                      const std::vector<StatePart>& after) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < after.size(); ++i) {
    // A compiled model may name its variables as it likes.
    const bool known = i < before.size() && before[i].name == after[i].name;
    add_lines(lines, after[i], known ? changes_of(before[i], after[i]) : sayings_of(after[i]));
  }
  return lines;
}

}  // namespace spillway
