#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "report/trace/trace_forms.h"

namespace spillway {
namespace {

enum class Wave { bit, integer, text };

// Short and printable: "!", "\"", ... "!!".
std::string code_of(std::size_t number) {
  constexpr std::size_t kFirst = 33, kCount = 94;
  std::string code;
  for (;;) {
    code += static_cast<char>(kFirst + number % kCount);
    if (number < kCount) return code;
    number = number / kCount - 1;
  }
}

std::string only(const std::string& text, std::string_view also) {
  std::string safe;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       also.find(c) != std::string_view::npos;
    safe += plain ? c : '_';
  }
  return safe.empty() ? "_" : safe;
}

std::optional<std::int64_t> integer_in(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end && !text.empty() ? std::optional(number)
                                                              : std::nullopt;
}

bool has_no_value(const std::string& text) {
  return text.empty() || text == "Undefined" || text == "undefined";
}

// What all its values are.
Wave wave_of(const SavedTrace& trace, const std::string& name, std::size_t hint) {
  bool bits = true, integers = true;
  for (const SavedStep& step : trace.steps) {
    const std::string* value = value_in(step, name, hint);
    if (value == nullptr || has_no_value(*value)) continue;
    bits = bits && (*value == "true" || *value == "false");
    integers = integers && integer_in(*value).has_value();
  }
  return bits ? Wave::bit : integers ? Wave::integer : Wave::text;
}

std::string change_of(Wave wave, const std::string& value, const std::string& code) {
  if (wave == Wave::text) return fmt::format("s{} {}\n", only(value, "_-+.,:()[]{}<>=!*/|&"), code);
  if (wave == Wave::bit)
    return fmt::format("{}{}\n", has_no_value(value) ? 'x' : value == "true" ? '1' : '0', code);
  const auto number = integer_in(value);
  return number ? fmt::format("b{:b} {}\n", static_cast<std::uint64_t>(*number), code)
                : fmt::format("bx {}\n", code);
}

struct Signal {
  std::string variable, code, reference;
  Wave wave;
};

std::vector<Signal> signals_of(const SavedTrace& trace) {
  std::vector<Signal> all;
  std::set<std::string> used = {"rule"};
  for (std::size_t j = 0; j < trace.steps.front().state.size(); ++j) {
    const std::string& name = trace.steps.front().state[j].name;
    std::string reference = only(name, "_");
    for (std::size_t i = 2; !used.insert(reference).second; ++i)
      reference = fmt::format("{}_{}", only(name, "_"), i);
    all.push_back({name, code_of(j + 1), reference, wave_of(trace, name, j)});
  }
  return all;
}

std::string_view type_of(Wave wave) {
  switch (wave) {
    case Wave::bit: return "wire 1";
    case Wave::integer: return "integer 64";
    case Wave::text: return "string 1";
  }
  return "";
}

}  // namespace

std::string trace_vcd(const SavedTrace& trace) {
  std::string text = "$version spillway $end\n$timescale 1 ns $end\n$scope module trace $end\n";
  if (trace.steps.empty()) return text + "$upscope $end\n$enddefinitions $end\n";
  const auto out = std::back_inserter(text);
  const std::vector<Signal> signals = signals_of(trace);
  fmt::format_to(out, "$var string 1 {} rule $end\n", code_of(0));
  for (const Signal& signal : signals)
    fmt::format_to(out, "$var {} {} {} $end\n", type_of(signal.wave), signal.code,
                   signal.reference);
  text += "$upscope $end\n$enddefinitions $end\n";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    fmt::format_to(out, "#{}\n", trace.number_of(i));
    text += change_of(Wave::text, trace.steps[i].rule, code_of(0));
    for (std::size_t j = 0; j < signals.size(); ++j) {
      const std::string* now = value_in(trace.steps[i], signals[j].variable, j);
      const std::string* before =
          i == 0 ? nullptr : value_in(trace.steps[i - 1], signals[j].variable, j);
      if (now != nullptr && (before == nullptr || *before != *now))
        text += change_of(signals[j].wave, *now, signals[j].code);
    }
  }
  fmt::format_to(out, "#{}\n", trace.number_of(trace.steps.size()));
  return text;
}

}  // namespace spillway
