#include <nlohmann/json.hpp>

#include "report/trace_forms.h"

namespace spillway {
namespace {

using PageData = nlohmann::ordered_json;

constexpr std::string_view kPageBegin = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Counterexample</title>
<style>
:root { color-scheme: light dark; --text: #1c2430; --soft: #5a6675; --page: #fff; --panel: #f4f6f8; --line: #d5dbe1;
  --mark: #fff1c2; --here: #dcebf9; --accent: #14568a; --bad: #a8321b; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ed; --soft: #9fabb8; --page: #14181d; --panel: #1d232a;
  --line: #38424d; --mark: #4a3f14; --here: #1d3a54; --accent: #7cbcf0; --bad: #ff9b85; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
  display: flex; flex-direction: column; height: 100vh; }
header { padding: 12px 16px; border-bottom: 1px solid var(--line); }
h1 { font-size: 17px; margin: 0 0 2px; overflow-wrap: anywhere; }
h1 span { color: var(--bad); }
header p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(220px, 34%) 1fr; }
#steps { margin: 0; padding: 6px; list-style: none; overflow: auto; border-right: 1px solid var(--line); background: var(--panel); }
#steps button { display: flex; gap: 10px; width: 100%; padding: 5px 8px; border: 0; border-left: 3px solid transparent; border-radius: 4px; background: none;
  color: inherit; font: inherit; text-align: left; cursor: pointer; overflow-wrap: anywhere; }
#steps button:hover { background: var(--line); }
#steps [aria-current] { background: var(--here); font-weight: 600; }
#steps b { color: var(--soft); font-weight: 400; min-width: 2.2em; text-align: right; font-variant-numeric: tabular-nums; }
#steps .loop { border-left-color: var(--bad); border-radius: 0 4px 4px 0; }
section { overflow: auto; padding: 10px 16px; min-width: 0; }
.tools { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin-bottom: 10px; }
.tools button, .tools input[type=search] { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
  border-radius: 4px; padding: 4px 10px; }
.tools button:disabled { opacity: .5; }
.tools input[type=search] { flex: 1; min-width: 9em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere;
  font: 13px/1.4 ui-monospace, monospace; }
thead th { color: var(--soft); font: 13px system-ui, sans-serif; }
tbody th { font-weight: 400; width: 40%; }
tr.changed { background: var(--mark); }
td s { color: var(--soft); }
#note { color: var(--soft); }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font-size: 12px; }
footer { padding: 6px 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
@media (max-width: 700px) { body { height: auto; } main { display: block; } #steps { max-height: 35vh; border-right: 0;
  border-bottom: 1px solid var(--line); } }
@media print { body { height: auto; } main, #steps, section { display: block; overflow: visible; max-height: none; } .tools, footer { display: none; } }
</style>
</head>
<body>
<header><h1 id="title"></h1><p id="about"></p></header>
<main>
<ol id="steps" aria-label="Steps"></ol>
<section aria-label="State">
<div class="tools">
<button id="back" type="button">&#8592; Back</button><button id="next" type="button">Next &#8594;</button>
<label><input id="all" type="checkbox"> unchanged too</label>
<input id="filter" type="search" placeholder="Filter variables" aria-label="Filter variables">
</div>
<p id="note" aria-live="polite"></p>
<table><thead><tr><th>Variable</th><th>Before</th><th>After</th></tr></thead><tbody id="state"></tbody></table>
</section>
</main>
<footer><kbd>&#8592;</kbd> <kbd>&#8594;</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>a</kbd> unchanged too, <kbd>/</kbd> filter, <kbd>Esc</kbd> no filter</footer>
<script type="application/json" id="data">)page";

constexpr std::string_view kPageEnd = R"page(</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const make = (tag, text) => { const one = document.createElement(tag); if (text !== undefined) one.textContent = text; return one; };
let here = 0;
at("title").append(make("span", "Violated: "), `${data.kind} ${data.property}`);
document.title = `${data.property} - counterexample`;
at("about").textContent = [data.model + (data.line ? `, line ${data.line}` : ""), `${data.steps.length - 1} steps`,
  data.loop === null ? "" : `repeats for ever from step ${data.loop}`, data.remark].filter(part => part).join(" \u00b7 ");
data.steps.forEach((step, i) => {
  const item = make("li"), button = make("button");
  button.type = "button";
  button.append(make("b", i), make("span", step.rule || "initial state"));
  if (data.loop !== null && i > data.loop) button.className = "loop";
  button.addEventListener("click", () => go(i));
  item.append(button);
  at("steps").append(item);
});
const buttons = [...at("steps").querySelectorAll("button")];
function show() {
  const step = data.steps[here], before = here ? data.steps[here - 1].values : null;
  const wanted = at("filter").value.toLowerCase(), all = at("all").checked || !before;
  const rows = [];
  let changes = 0;
  data.names.forEach((name, i) => {
    const changed = before !== null && before[i] !== step.values[i];
    changes += changed;
    if ((!changed && !all) || !name.toLowerCase().includes(wanted)) return;
    const row = make("tr"), old = make("td");
    if (changed) { row.className = "changed"; old.append(make("s", before[i])); }
    row.append(make("th", name), old, make("td", step.values[i]));
    row.firstChild.scope = "row";
    rows.push(row);
  });
  at("state").replaceChildren(...rows);
  buttons.forEach((button, i) => i === here ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
  buttons[here].scrollIntoView({ block: "nearest" });
  at("back").disabled = here === 0;
  at("next").disabled = here === data.steps.length - 1 && data.loop === null;
  const what = before ? (changes ? `${changes} of ${data.names.length} variables change` : "nothing changes") : "the first state";
  at("note").textContent = `Step ${here}${step.line ? `, line ${step.line}` : ""}: ${what}` +
    (data.loop !== null && here === data.steps.length - 1 ? `; the state is that of step ${data.loop}` : "");
}
function go(to) {
  const last = data.steps.length - 1;
  here = to > last ? (data.loop === null ? last : Math.min(last, data.loop + 1)) : Math.max(0, to);
  show();
}
at("back").addEventListener("click", () => go(here - 1));
at("next").addEventListener("click", () => go(here + 1));
at("filter").addEventListener("input", show);
at("all").addEventListener("change", show);
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === at("filter")) {
    if (event.key === "Escape") { at("filter").value = ""; at("filter").blur(); show(); }
    return;
  }
  const keys = { ArrowRight: () => go(here + 1), ArrowDown: () => go(here + 1), ArrowLeft: () => go(here - 1), ArrowUp: () => go(here - 1),
    Home: () => go(0), End: () => go(data.steps.length - 1), a: () => { at("all").checked = !at("all").checked; show(); },
    "/": () => at("filter").focus(), Escape: () => { at("filter").value = ""; show(); } };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
show();
</script>
</body>
</html>
)page";

// JSON that cannot end the element that it stands in.
std::string embedded(const PageData& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', true, PageData::error_handler_t::replace)) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string trace_html(const SavedTrace& trace) {
  PageData data = {
      {"model", trace.model},       {"kind", trace.kind},        {"property", trace.property},
      {"line", trace.line},         {"loop", nullptr},           {"remark", trace.remark},
      {"names", PageData::array()}, {"steps", PageData::array()}};
  if (trace.loop_start) data["loop"] = *trace.loop_start;
  if (!trace.steps.empty())
    for (const SavedVariable& variable : trace.steps.front().state)
      data["names"].push_back(variable.name);
  for (const SavedStep& step : trace.steps) {
    PageData values = PageData::array();
    for (std::size_t i = 0; i < data["names"].size(); ++i) {
      const std::string* value = value_in(step, trace.steps.front().state[i].name, i);
      values.push_back(value != nullptr ? *value : "");
    }
    data["steps"].push_back(
        {{"rule", step.rule}, {"line", step.line}, {"values", std::move(values)}});
  }
  std::string page(kPageBegin);
  page += embedded(data);
  page += kPageEnd;
  return page;
}

}  // namespace spillway
