// A counterexample to step through.  `trace` is {names, steps: [{rule, line, values}], loop}, and perhaps omitted: {first, count}.
function make(tag, text, attributes) {
  const one = document.createElement(tag);
  if (text !== undefined) one.textContent = text;
  for (const [name, value] of Object.entries(attributes || {})) one.setAttribute(name, value);
  return one;
}
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// The number of a step, with those that were left out before it.
const numberOf = (trace, i) => trace.omitted && i >= trace.omitted.first ? i + trace.omitted.count : i;

const stepsOf = trace => numberOf(trace, trace.steps.length - 1);

// What a step changes: [name, before, after].
function changesOf(trace, i) {
  const values = trace.steps[i].values, before = i ? trace.steps[i - 1].values : null;
  const all = [];
  trace.names.forEach((name, v) => { if (!before || before[v] !== values[v]) all.push([name, before ? before[v] : "", values[v]]); });
  return all;
}

// Builds the viewer in `root`.  Keys work where `listener` hears them.
function traceViewer(root, trace, listener) {
  const last = trace.steps.length - 1;
  let here = 0;
  root.classList.add("trace");
  const steps = make("ol", undefined, { class: "steps", "aria-label": "Steps" });
  const state = make("section", undefined, { class: "state", "aria-label": "State", tabindex: "0" });
  const tools = make("div", undefined, { class: "tools" });
  const back = make("button", "\u2190 Back", { type: "button" }), next = make("button", "Next \u2192", { type: "button" });
  const label = make("label"), all = make("input", undefined, { type: "checkbox" });
  label.append(all, " unchanged too");
  const filter = make("input", undefined, { type: "search", placeholder: "Filter variables", "aria-label": "Filter variables" });
  const find = make("input", undefined, { type: "search", placeholder: "Find in steps", "aria-label": "Find in steps" });
  tools.append(back, next, label, filter, find);
  const note = make("p", undefined, { class: "note", "aria-live": "polite" });
  const table = make("table"), head = make("thead"), titles = make("tr"), body = make("tbody");
  for (const title of ["Variable", "Before", "After"]) titles.append(make("th", title, { scope: "col" }));
  head.append(titles);
  table.append(head, body);
  state.append(tools, note, table);
  const buttons = trace.steps.map((step, i) => {
    const item = make("li"), button = make("button", undefined, { type: "button" });
    button.append(make("b", numberOf(trace, i)), make("span", step.rule || "initial state"));
    if (trace.loop !== null && i > trace.loop) button.classList.add("loop");
    button.addEventListener("click", () => go(i));
    item.append(button);
    steps.append(item);
    return button;
  });
  root.replaceChildren(steps, state);

  function hits(i) {
    const wanted = find.value.toLowerCase();
    if (!wanted) return false;
    const step = trace.steps[i];
    return (step.rule || "initial state").toLowerCase().includes(wanted) ||
      changesOf(trace, i).some(([name, , after]) => `${name} = ${after}`.toLowerCase().includes(wanted));
  }
  function show() {
    const step = trace.steps[here], before = here ? trace.steps[here - 1].values : null;
    const wanted = filter.value.toLowerCase(), whole = all.checked || !before;
    const rows = [];
    let changes = 0;
    trace.names.forEach((name, i) => {
      const changed = before !== null && before[i] !== step.values[i];
      changes += changed;
      if ((!changed && !whole) || !name.toLowerCase().includes(wanted)) return;
      const row = make("tr"), old = make("td");
      if (changed) { row.className = "changed"; old.append(make("s", before[i])); }
      row.append(make("th", name, { scope: "row" }), old, make("td", step.values[i]));
      rows.push(row);
    });
    body.replaceChildren(...rows);
    buttons.forEach((button, i) => i === here ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
    const button = buttons[here];  // the list scrolls, never the page
    if (button.offsetTop < steps.scrollTop + steps.offsetTop) steps.scrollTop = button.offsetTop - steps.offsetTop;
    const below = button.offsetTop + button.offsetHeight - steps.offsetTop - steps.clientHeight;
    if (below > steps.scrollTop) steps.scrollTop = below;
    back.disabled = here === 0;
    next.disabled = here === last && trace.loop === null;
    const what = before ? (changes ? `${changes} of ${plural(trace.names.length, "variable")} change` : "nothing changes") : "the first state";
    const gap = trace.omitted && here === trace.omitted.first ? `, together with the ${plural(trace.omitted.count, "step")} before it that are left out here` : "";
    note.textContent = `Step ${numberOf(trace, here)}${gap}${step.line ? `, line ${step.line}` : ""}: ${what}` +
      (trace.loop !== null && here === last ? `; the state is that of step ${numberOf(trace, trace.loop)}` : "");
    root.dispatchEvent(new CustomEvent("step", { detail: step }));
  }
  function go(to) {
    here = to > last ? (trace.loop === null ? last : Math.min(last, trace.loop + 1)) : Math.max(0, to);
    show();
  }
  function search() {
    const found = buttons.map((button, i) => { const hit = hits(i); button.classList.toggle("hit", hit); return hit; });
    show();
    if (find.value) note.textContent += `; ${plural(found.filter(hit => hit).length, "step")} found, Enter goes to the next`;
  }
  function findNext(way) {
    for (let n = 1; n <= trace.steps.length; ++n) {
      const i = (here + way * n + trace.steps.length * n) % trace.steps.length;
      if (hits(i)) { go(i); return; }
    }
  }
  back.addEventListener("click", () => go(here - 1));
  next.addEventListener("click", () => go(here + 1));
  filter.addEventListener("input", show);
  find.addEventListener("input", search);
  all.addEventListener("change", show);
  const keys = { ArrowRight: () => go(here + 1), ArrowDown: () => go(here + 1), ArrowLeft: () => go(here - 1), ArrowUp: () => go(here - 1),
    Home: () => go(0), End: () => go(last), a: () => { all.checked = !all.checked; show(); }, "/": () => filter.focus(), f: () => find.focus(),
    n: () => findNext(1), p: () => findNext(-1), Escape: () => { filter.value = ""; find.value = ""; search(); } };
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === find && event.key === "Enter") { event.preventDefault(); findNext(event.shiftKey ? -1 : 1); return; }
    if (event.target === filter || event.target === find) {
      if (event.key === "Escape") { event.target.value = ""; event.target.blur(); search(); state.focus(); }
      return;
    }
    if (event.target.tagName === "SELECT" || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
  listener.addEventListener("keydown", onKey);
  show();
  return { go, end: () => listener.removeEventListener("keydown", onKey) };
}

const kMostPrinted = 1000;  // steps
// The whole trace as a list, for paper.
function printedTrace(trace) {
  const list = make("ol", undefined, { class: "printed", start: "0" });
  trace.steps.slice(0, kMostPrinted).forEach((step, i) => {
    const item = make("li", (step.rule || "initial state") + (step.line ? ` (line ${step.line})` : ""));
    for (const [name, before, after] of changesOf(trace, i)) item.append(make("code", i ? `${name}: ${before} \u2192 ${after}` : `${name}: ${after}`));
    list.append(item);
  });
  if (trace.steps.length > kMostPrinted) list.append(make("li", `and ${trace.steps.length - kMostPrinted} more steps`));
  return list;
}
const kKeys = [[["\u2190", "\u2192"], "step"], [["Home", "End"], "first and last"], [["a"], "unchanged too"], [["/"], "filter"],
  [["f"], "find"], [["n", "p"], "next and previous found"], [["Esc"], "no filter"]];
function keysText() {
  const line = make("p", undefined, { class: "keys" });
  kKeys.forEach(([names, meaning], i) => {
    if (i) line.append(", ");
    for (const name of names) line.append(make("kbd", name), " ");
    line.append(meaning);
  });
  return line;
}
