#include "report/page/explorer_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"
#include "report/properties_text.h"
#include "report/trace/state_text.h"
#include "report/words/kind_word.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::size_t kMostChoices = 1000;  // on a page

std::string joined(const std::vector<std::string>& lines, std::string_view otherwise) {
  if (lines.empty()) return fmt::format("<i>{}</i>", otherwise);
  std::string all;
  for (const std::string& line : lines) all += fmt::format("<code>{}</code> ", escaped_html(line));
  return all;
}

std::string badge(std::string_view kind, std::string_view text) {
  return fmt::format("<span class=\"{}\">{}</span>", kind, text);
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string ExplorerPages::page(const std::string& title, const std::string& body) const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
      "href=\"../explore.css\">\n"
      "<script src=\"../explore.js\" defer></script>\n</head>\n<body>\n"
      "<header><h1>{1}</h1><p>{0}</p></header>\n{2}"
      "<footer><kbd>1</kbd>&ndash;<kbd>9</kbd> take a step, <kbd>&#8595;</kbd> <kbd>&#8593;</kbd> "
      "choose one, <kbd>Enter</kbd> take it, <kbd>&#8592;</kbd> back, <kbd>Home</kbd> beginnings, "
      "<kbd>c</kbd> only what changed, <kbd>/</kbd> filter</footer>\n</body>\n</html>\n",
      title, escaped_html(model_.name()), body);
}

std::string ExplorerPages::nowhere(std::string_view why) const {
  return page("There is no such state",
              fmt::format("<main><section><p>{}</p><p><a id=\"begin\" href=\"./\">All "
                          "beginnings</a></p></section></main>\n",
                          escaped_html(why)));
}

std::string ExplorerPages::start(const NextSteps& initial,
                                 const std::vector<ExplorerTrace>& traces) const {
  std::string body = "<main class=\"one\"><section aria-label=\"Initial states\">";
  body += fmt::format("<h2>{}</h2>\n", plural(initial.steps.size(), "initial state"));
  if (initial.failure)
    body += fmt::format("<p class=\"found\">{} while computing them: {}</p>\n",
                        badge("bad", "VIOLATED"), escaped_html(initial.failure->message));
  body += choices_text(initial, nullptr, "i");
  for (const ExplorerTrace& trace : traces) {
    body += fmt::format("<h2>{}</h2>\n<ol class=\"choices\">\n", escaped_html(trace.title));
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
      body +=
          fmt::format("<li><a href=\"{}.{}\"><b>{}</b><span>{}</span></a></li>\n", trace.address, i,
                      i, escaped_html(description_.rule_name(trace.steps[i].rule)));
    body += "</ol>\n";
  }
  return page("Beginnings", body + "</section></main>\n");
}

std::string ExplorerPages::state(const ExplorerState& state) const {
  const Step& here = state.path.back().step;
  const std::size_t depth = state.path.size() - 1;
  std::string body = "<main>\n";
  body += path_text(state);
  body += "<section aria-label=\"State\">\n";
  body += properties_text(state);
  body += fmt::format("<h2>{} from here</h2>\n", plural(state.next_steps.steps.size(), "step"));
  body += choices_text(state.next_steps, &here, state.address + ".");
  body += variables_text(state);
  return page(fmt::format("Step {}: {}", with_commas(depth),
                          escaped_html(description_.rule_name(here.rule))),
              body + "</section>\n</main>\n");
}

std::string ExplorerPages::path_text(const ExplorerState& state) const {
  std::string text =
      "<nav aria-label=\"Steps so far\"><p><a id=\"begin\" href=\"./\">Beginnings</a></p>\n<ol>\n";
  for (std::size_t i = 0; i < state.path.size(); ++i) {
    const LinkedStep& one = state.path[i];
    const bool last = i + 1 == state.path.size();
    const bool before = i + 2 == state.path.size();
    text += fmt::format("<li><a href=\"{}\"{}{}><b>{}</b><span>{}</span></a></li>\n", one.address,
                        last ? " aria-current=\"step\"" : "", before ? " id=\"back\"" : "", i,
                        escaped_html(description_.rule_name(one.step.rule)));
  }
  return text + "</ol></nav>\n";
}

// What is violated in a state, as far as it can be said without its successors.
std::string ExplorerPages::violated_in(State state) const {
  std::vector<PropertyIndex> noted(model_.properties().size());
  noted.resize(model_.conditions().check(state, noted.data()));
  std::string all;
  for (const PropertyIndex property : noted)
    if (model_.properties()[property].kind == PropertyKind::invariant)
      all += fmt::format(" {} {}", badge("bad", "violates"),
                         escaped_html(model_.properties()[property].name));
  return all;
}

std::string ExplorerPages::choices_text(const NextSteps& next_steps, const Step* before,
                                        const std::string& prefix) const {
  if (next_steps.steps.empty()) return "<p class=\"none\">There is none.</p>\n";
  const std::vector<StatePart> old =
      before != nullptr ? description_.parts(before->row) : std::vector<StatePart>();
  std::string text = "<ol class=\"choices\" id=\"choices\">\n";
  for (std::size_t i = 0; i < std::min(next_steps.steps.size(), kMostChoices); ++i) {
    const Step& step = next_steps.steps[i];
    const std::vector<StatePart> parts = description_.parts(step.row);
    const std::vector<std::string> lines =
        before != nullptr ? change_lines(old, parts) : state_lines(parts);
    text +=
        fmt::format("<li><a href=\"{}{}\"><b>{}</b><span>{}{}<small>{}</small></span></a></li>\n",
                    prefix, i + 1, i + 1, escaped_html(description_.rule_name(step.rule)),
                    violated_in(step.row), joined(lines, "nothing changes"));
  }
  text += "</ol>\n";
  if (next_steps.steps.size() > kMostChoices)
    text += fmt::format("<p class=\"none\">And so on up to {}: the address has the number.</p>\n",
                        with_commas(next_steps.steps.size()));
  return text;
}

std::string ExplorerPages::variables_text(const ExplorerState& state) const {
  const std::vector<Variable> now = description_.variables(state.path.back().step.row);
  std::vector<Variable> before;
  if (state.path.size() > 1)
    before = description_.variables(state.path[state.path.size() - 2].step.row);
  std::string rows;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool changed =
        i < before.size() && before[i].name == now[i].name && before[i].value != now[i].value;
    changes += changed ? 1 : 0;
    rows += fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}{}</td></tr>\n",
                        changed ? " class=\"changed\"" : "", escaped_html(now[i].name),
                        changed ? fmt::format("<s>{}</s> ", escaped_html(before[i].value)) : "",
                        escaped_html(now[i].value));
  }
  const std::string count = before.empty() ? plural(now.size(), "variable")
                                           : fmt::format("{} of {} changed", with_commas(changes),
                                                         plural(now.size(), "variable"));
  return fmt::format(
      "<h2>{}</h2>\n<div class=\"tools\" hidden><label><input id=\"only\" type=\"checkbox\"> only "
      "what changed</label><input id=\"filter\" type=\"search\" placeholder=\"Filter variables\" "
      "aria-label=\"Filter variables\"></div>\n<table id=\"state\"><tbody>\n{}</tbody></table>\n",
      count, rows);
}

std::string ExplorerPages::properties_text(const ExplorerState& state) const {
  const State row = state.path.back().step.row;
  // What is wrong comes first.
  std::string wrong, text;
  const auto add = [&](bool bad, const std::string& line) { (bad ? wrong : text) += line; };
  if (const std::optional<Failure>& failure = state.next_steps.failure) {
    const std::string where =
        failure->rule == kNoRule
            ? ""
            : fmt::format("rule \"{}\": ", escaped_html(description_.rule_name(failure->rule)));
    add(true, fmt::format("<li>{} {}{}</li>\n", badge("bad", "fails here"), where,
                          escaped_html(failure->message)));
  }
  if (deadlock_ != Deadlock::off)
    add(state.next_steps.deadlock,
        fmt::format("<li>{} no deadlock</li>\n",
                    state.next_steps.deadlock ? badge("bad", "violated") : badge("good", "holds")));
  for (PropertyIndex i = 0; i < model_.properties().size(); ++i) {
    const Property& property = model_.properties()[i];
    if (property.kind == PropertyKind::assertion || property.in_rules) continue;
    const bool noted = state.next_steps.has(i);
    const bool invariant = property.kind == PropertyKind::invariant;
    const std::string why = invariant && noted ? description_.explanation(i, row).text : "";
    add(invariant && noted,
        fmt::format(
            "<li>{} {}{}</li>\n",
            invariant ? (noted ? badge("bad", "violated") : badge("good", "holds"))
                      : (noted ? badge("good", "holds") : badge("plain", "not here")),
            escaped_html(property_name(kind_word(property.kind), property.name, property.line)),
            why.empty() ? "" : fmt::format(": {}", escaped_html(why))));
  }
  text = wrong + text;
  return text.empty() ? "" : fmt::format("<ul class=\"properties\">\n{}</ul>\n", text);
}

std::string_view ExplorerPages::style() {
  return R"css(:root { color-scheme: light dark; --text: #1c2430; --soft: #5a6675; --page: #fff; --panel: #f4f6f8;
  --line: #d5dbe1; --mark: #fff1c2; --here: #dcebf9; --accent: #14568a; --bad: #a8321b; --good: #1d6b35; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ed; --soft: #9fabb8; --page: #14181d; --panel: #1d232a;
  --line: #38424d; --mark: #4a3f14; --here: #1d3a54; --accent: #7cbcf0; --bad: #ff9b85; --good: #86d69b; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
  display: flex; flex-direction: column; height: 100vh; }
header { padding: 10px 16px; border-bottom: 1px solid var(--line); }
h1 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 16px 0 6px; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(200px, 28%) 1fr; }
main.one { display: block; overflow: auto; }
nav { overflow: auto; padding: 6px; border-right: 1px solid var(--line); background: var(--panel); }
nav p { margin: 4px 8px; }
section { overflow: auto; padding: 10px 16px; min-width: 0; }
ol, .properties { list-style: none; margin: 0; padding: 0; }
ol a { display: flex; gap: 10px; padding: 5px 8px; border-radius: 4px; color: inherit; text-decoration: none;
  overflow-wrap: anywhere; }
ol a:hover, ol a:focus { background: var(--here); }
nav [aria-current] { background: var(--here); font-weight: 600; }
ol b { flex: none; min-width: 2em; text-align: right; font-weight: 400; color: var(--soft); font-variant-numeric: tabular-nums; }
ol span { min-width: 0; }
a { color: var(--accent); }
.choices { border: 1px solid var(--line); border-radius: 6px; }
.choices li + li { border-top: 1px solid var(--line); }
.choices small { display: flex; flex-wrap: wrap; gap: 3px 6px; color: var(--soft); font-size: 13px; }
.choices code { background: var(--panel); border-radius: 3px; padding: 0 5px; }
code { font: 13px/1.4 ui-monospace, monospace; }
.properties { display: flex; flex-wrap: wrap; gap: 4px 18px; color: var(--soft); }
.bad, .good, .plain { font-weight: 600; }
.bad { color: var(--bad); }
.good { color: var(--good); }
.plain, .none { color: var(--soft); }
.tools { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin-bottom: 8px; }
.tools[hidden], tr[hidden] { display: none; }
.tools input[type=search] { flex: 1; min-width: 9em; font: inherit; color: inherit; background: var(--panel);
  border: 1px solid var(--line); border-radius: 4px; padding: 4px 10px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 3px 10px 3px 6px; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; font: 13px/1.4 ui-monospace, monospace; }
th { font-weight: 400; width: 40%; }
tr.changed { background: var(--mark); }
td s { color: var(--soft); }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font-size: 12px; }
footer { padding: 6px 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
@media (max-width: 700px) { body { height: auto; } main { display: block; } nav { max-height: 30vh; border-right: 0;
  border-bottom: 1px solid var(--line); } section { padding: 10px; } footer { display: none; } th { width: 50%; } }
)css";
}

std::string_view ExplorerPages::script() {
  return R"js("use strict";
const at = id => document.getElementById(id);
const choices = [...document.querySelectorAll(".choices a")];
const numbered = [...document.querySelectorAll("#choices a")];
const filter = at("filter"), only = at("only");
function show() {
  const wanted = filter.value.toLowerCase();
  for (const row of at("state").rows)
    row.hidden = (only.checked && !row.className) || !row.cells[0].textContent.toLowerCase().includes(wanted);
  sessionStorage.setItem("only", only.checked ? "1" : "");
  sessionStorage.setItem("filter", filter.value);
}
if (filter) {
  filter.closest(".tools").hidden = false;
  only.checked = sessionStorage.getItem("only") === "1";
  filter.value = sessionStorage.getItem("filter") || "";
  filter.addEventListener("input", show);
  only.addEventListener("change", show);
  show();
}
const current = document.querySelector("[aria-current]");
if (current) current.scrollIntoView({ block: "nearest" });
function choose(by) {
  const here = choices.indexOf(document.activeElement);
  const to = here < 0 ? (by > 0 ? 0 : choices.length - 1) : Math.min(choices.length - 1, Math.max(0, here + by));
  if (choices[to]) choices[to].focus();
}
const follow = link => { if (link) location.assign(link.href); };
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === filter) {
    if (event.key === "Escape") { filter.value = ""; filter.blur(); show(); }
    return;
  }
  const keys = { ArrowDown: () => choose(1), j: () => choose(1), ArrowUp: () => choose(-1), k: () => choose(-1),
    ArrowLeft: () => follow(at("back") || at("begin")), u: () => follow(at("back") || at("begin")),
    Home: () => follow(at("begin")), c: () => { if (only) { only.checked = !only.checked; show(); } },
    "/": () => { if (filter) filter.focus(); } };
  if (/^[1-9]$/.test(event.key)) keys[event.key] = () => follow(numbered[event.key - 1]);
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
)js";
}

}  // namespace spillway
