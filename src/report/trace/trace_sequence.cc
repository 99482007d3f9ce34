#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "report/trace/trace_forms.h"

namespace spillway {
namespace {

constexpr std::size_t kMostLifelines = 24;
constexpr std::string_view kModelLine = "model";

struct Arrow {
  std::size_t from = 0, to = 0;  // lifelines
  std::string text;
};

struct Sequence {
  std::vector<std::string> lifelines;
  std::vector<Arrow> arrows;  // one for each step
};

// Who takes part in a step, and what they do.
struct Act {
  std::string from, to, text;
};

// Moves of processes have no parameters but names that say who moves: "A: p -> q", "A: p -> q on c!" if A
// sends to the channel c ("c?" if it receives), "A ! B: p -> q, r -> s on c" for both at once.
std::optional<Act> act_of_processes(const std::string& rule) {
  const std::size_t colon = rule.find(": ");
  if (colon == std::string::npos || colon == 0 || rule.find(" -> ", colon) == std::string::npos)
    return std::nullopt;
  Act act{rule.substr(0, colon), "", rule.substr(colon + 2)};
  if (const std::size_t both = act.from.find(" ! "); both != std::string::npos) {
    act.to = act.from.substr(both + 3);
    act.from.resize(both);
    return act;
  }
  act.to = act.from;
  const std::size_t on = act.text.rfind(" on ");
  if (on == std::string::npos || (!rule.ends_with('!') && !rule.ends_with('?'))) return act;
  std::string channel = act.text.substr(on + 4);
  channel.pop_back();
  (rule.ends_with('!') ? act.to : act.from) = channel;
  act.text.resize(on);
  return act;
}

Act act_of(const SavedStep& step) {
  const auto& given = step.parameters;
  if (given.empty()) {
    if (const std::optional<Act> act = act_of_processes(step.rule)) return *act;
    return {std::string(kModelLine), std::string(kModelLine), step.rule};
  }
  Act act{given[0].value, given[given.size() > 1 ? 1 : 0].value,
          step.rule_name.empty() ? step.rule : step.rule_name};
  for (std::size_t i = 2; i < given.size(); ++i)
    act.text += fmt::format(", {}={}", given[i].name, given[i].value);
  return act;
}

Sequence sequence_of(const SavedTrace& trace) {
  Sequence all;
  const auto line_of = [&](const std::string& name) {
    const auto found = std::ranges::find(all.lifelines, name);
    if (found != all.lifelines.end())
      return static_cast<std::size_t>(found - all.lifelines.begin());
    if (all.lifelines.size() == kMostLifelines) return std::size_t{0};
    all.lifelines.push_back(name);
    return all.lifelines.size() - 1;
  };
  for (const SavedStep& step : trace.steps) {
    const Act act = act_of(step);
    const std::size_t from = line_of(act.from);
    all.arrows.push_back({from, line_of(act.to), act.text});
  }
  return all;
}

// Everything else would mean something to Mermaid, or hide something.
std::string mermaid_word(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == ' ' || c == '_' || c == '.' || c == ',' || c == '=';
    const auto code = static_cast<unsigned char>(c);
    if (plain)
      safe += c;
    else if (code >= 0x20 && code < 0x7f)
      fmt::format_to(std::back_inserter(safe), "#{};", code);
    else
      safe += '?';
  }
  return safe.empty() ? "?" : safe;
}

std::string svg_word(std::string_view text, std::size_t most) {
  std::string safe;
  std::size_t count = 0;
  for (const char c : text) {
    if (++count > most) return safe + "...";
    const auto code = static_cast<unsigned char>(c);
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += code >= 0x20 && code < 0x7f ? c : '?';
  }
  return safe;
}

}  // namespace

std::string trace_mermaid(const SavedTrace& trace) {
  const Sequence all = sequence_of(trace);
  std::string text = "sequenceDiagram\n";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < all.lifelines.size(); ++i)
    fmt::format_to(out, "  participant p{} as {}\n", i, mermaid_word(all.lifelines[i]));
  for (std::size_t i = 0; i < all.arrows.size(); ++i) {
    const Arrow& arrow = all.arrows[i];
    fmt::format_to(out, "  p{}->>p{}: {} {}\n", arrow.from, arrow.to, trace.number_of(i),
                   mermaid_word(arrow.text));
    if (trace.loop_start == i && i + 1 < all.arrows.size())
      fmt::format_to(out, "  loop for ever\n");
  }
  if (trace.loop_start && *trace.loop_start + 1 < all.arrows.size()) fmt::format_to(out, "  end\n");
  return text;
}

std::string trace_svg(const SavedTrace& trace) {
  constexpr std::size_t kColumn = 180, kRow = 34, kTop = 56, kLeft = 110, kMostLetters = 40;
  const Sequence all = sequence_of(trace);
  const std::size_t width = kLeft + kColumn * std::max<std::size_t>(1, all.lifelines.size());
  const std::size_t height = kTop + kRow * (all.arrows.size() + 1) + 20;
  const auto x_of = [&](std::size_t line) { return kLeft + kColumn * line; };
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"{}\" height=\"{}\" fill=\"white\"/>\n"
      "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"7\" refX=\"8\" refY=\"3.5\" "
      "orient=\"auto\"><path d=\"M0 0L9 3.5L0 7z\" fill=\"#1b6ca8\"/></marker></defs>\n",
      width, height, width, height, width, height);
  for (std::size_t i = 0; i < all.lifelines.size(); ++i)
    fmt::format_to(out,
                   "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#999\" "
                   "stroke-dasharray=\"4 4\"/>\n<text x=\"{0}\" y=\"30\" text-anchor=\"middle\" "
                   "font-weight=\"bold\">{3}</text>\n",
                   x_of(i), kTop - 16, height - 10, svg_word(all.lifelines[i], 20));
  if (trace.loop_start && *trace.loop_start + 1 < all.arrows.size()) {
    const std::size_t begin = kTop + kRow * (*trace.loop_start + 1) - 18;
    fmt::format_to(out,
                   "<rect x=\"8\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                   "stroke=\"#c8553d\"/>\n<text x=\"14\" y=\"{}\" fill=\"#c8553d\">for "
                   "ever</text>\n",
                   begin, width - 16, kTop + kRow * all.arrows.size() - begin, begin + 14);
  }
  for (std::size_t i = 0; i < all.arrows.size(); ++i) {
    const Arrow& arrow = all.arrows[i];
    const std::size_t y = kTop + kRow * i + 10, from = x_of(arrow.from), to = x_of(arrow.to);
    if (from == to)
      fmt::format_to(out,
                     "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"#1b6ca8\"/>\n<text x=\"{}\" "
                     "y=\"{}\">{}. {}</text>\n",
                     from, y, from + 10, y + 4, trace.number_of(i),
                     svg_word(arrow.text, kMostLetters));
    else
      fmt::format_to(out,
                     "<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"#1b6ca8\" "
                     "stroke-width=\"1.5\" marker-end=\"url(#head)\"/>\n<text x=\"{}\" y=\"{}\" "
                     "text-anchor=\"middle\">{}. {}</text>\n",
                     from, to, y, y, (from + to) / 2, y - 5, trace.number_of(i),
                     svg_word(arrow.text, kMostLetters));
  }
  return text + "</svg>\n";
}

}  // namespace spillway
