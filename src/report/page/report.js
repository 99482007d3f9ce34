let data = JSON.parse(document.getElementById("data").textContent);
let result = data.result;
const running = () => Boolean(data.live && data.live.running);
const at = id => document.getElementById(id);
const count = number => Number(number).toLocaleString("en");
const kWords = { verified: "VERIFIED", "verified-probabilistic": "VERIFIED (probabilistic)", violated: "VIOLATED",
  inconclusive: "INCONCLUSIVE", error: "ERROR" };
const kPropertyWords = { verified: "holds", "verified-probabilistic": "holds (probabilistic)", violated: "violated",
  inconclusive: "not decided", ignored: "ignored" };
const classOf = verdict => (verdict || "").startsWith("verified") ? "verified" : verdict;

function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) { number /= 1024; ++unit; }
  return `${unit === 0 || number >= 100 ? Math.round(number) : number.toFixed(1)} ${units[unit]}`;
}
function time(seconds) {
  if (seconds < 100) return `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
}
function short(number) {  // for axes
  const units = ["", "k", "M", "G", "T"];
  let unit = 0;
  while (Math.abs(number) >= 1000 && unit < units.length - 1) { number /= 1000; ++unit; }
  return `${+number.toPrecision(3)}${units[unit]}`;
}
// A section of the page, and its entry in the list of them.  One that is there already is replaced.
const kParts = ["diagnostics", "properties", "counterexample", "levels", "resources", "source", "details"];
function part(id, title) {
  const section = make("section", undefined, { class: "part", id, "aria-label": title });
  section.append(make("h2", title));
  if (at(id)) at(id).replaceWith(section);
  else {
    const next = kParts.slice(kParts.indexOf(id) + 1).find(one => at(one));
    at("parts").insertBefore(section, next ? at(next) : null);
    at("list").insertBefore(make("a", title, { href: `#${id}` }), next ? at("list").querySelector(`[href="#${next}"]`) : null);
  }
  return section;
}
function tableOf(columns, rows, kind) {
  const table = make("table", undefined, { class: `plain ${kind || ""}` }), head = make("thead"), titles = make("tr"), body = make("tbody");
  for (const [title, style] of columns) titles.append(make("th", title, { scope: "col", class: style || "" }));
  head.append(titles);
  for (const row of rows) {
    const line = make("tr");
    row.forEach((cell, i) => {
      const box = make(i === 0 ? "th" : "td", undefined, { class: columns[i][1] || "" });
      if (i === 0) box.scope = "row";
      box.append(cell);
      line.append(box);
    });
    body.append(line);
  }
  table.append(head, body);
  const scroller = make("div", undefined, { class: "table", tabindex: "0", role: "group", "aria-label": "Table" });
  scroller.append(table);
  return scroller;
}
// `content` is made when somebody looks at it.
function folded(title, content) {
  const details = make("details");
  details.append(make("summary", title));
  details.addEventListener("toggle", () => details.append(content()), { once: true });
  return details;
}

// Verdict --------------------------------------------------------------------
function showTiles(tiles) {
  at("tiles").replaceChildren(...tiles.map(([name, value]) => {
    const tile = make("div");
    tile.append(make("dt", name), make("dd", value));
    return tile;
  }));
}
function showRunning() {
  const live = data.live, verdict = at("verdict"), heading = make("h1");
  verdict.className = "verdict running";
  heading.append(make("b", "RUNNING"), ` ${result.model.path}`);
  const share = live.level_states ? Math.floor(100 * live.expanded / live.level_states) : 0;
  const here = live.level_states ? `level ${count(live.level)}, ${share}% of ${plural(live.level_states, "state")}: ${live.phase}` : "preparing";
  verdict.replaceChildren(heading, make("p", here), make("p", live.forecast || "It is too early for a forecast.", live.forecast ? {} : { class: "soft" }));
  document.title = `${share}% of level ${live.level} ${result.model.path}`;
  const tiles = [["States", count(live.states)], ["Transitions", count(result.transitions)], ["Level", count(live.level)],
    ["Time", time(live.seconds + result.earlier_seconds)], ["States a second", live.rate === null ? "-" : count(Math.round(live.rate))],
    ["Memory", bytes(live.memory_bytes)]];
  if (live.disk_bytes) tiles.push(["Disk", bytes(live.disk_bytes)]);
  showTiles(tiles);
}
function showVerdict() {
  if (running()) return showRunning();
  const verdict = at("verdict"), heading = make("h1");
  verdict.replaceChildren();
  verdict.className = `verdict ${classOf(result.verdict)}`;
  heading.append(make("b", kWords[result.verdict] || result.verdict), ` ${result.model.path}`);
  const constants = Object.entries(result.constants || {}).map(([name, value]) => `${name}=${value}`);
  if (constants.length) heading.append(make("span", ` ${constants.join(" ")}`, { class: "soft" }));
  verdict.append(heading);
  for (const property of result.properties)
    if (property.verdict === "violated") verdict.append(make("p", `${property.kind} "${property.name}"`));
  verdict.append(make("p", result.reason));
  if (result.complete === false && result.verdict !== "error")
    verdict.append(make("p", "Not all reachable states were visited: what is said below is about those that were.", { class: "soft" }));
  document.title = `${kWords[result.verdict] || "Report"} ${result.model.path}`;
  const tiles = [["States", count(result.states)], ["Transitions", count(result.transitions)]];
  if (result.depth !== null) tiles.push(["Depth", count(result.depth)]);
  tiles.push(["Time", time(result.seconds + result.earlier_seconds)], ["Peak memory", bytes(result.peak_memory_bytes)]);
  if (result.disk_bytes_written) tiles.push(["Written to disk", bytes(result.disk_bytes_written)]);
  const seconds = result.seconds;
  if (seconds > 0.5 && !result.earlier_seconds) tiles.push(["States a second", count(Math.round(result.states / seconds))]);
  showTiles(tiles);
}

// Properties -----------------------------------------------------------------
function showProperties() {
  if (!result.properties.length) return;
  const section = part("properties", "Properties");
  const rows = result.properties.map(property => {
    const trace = data.traces.findIndex(one => one.property === property.name && one.kind === property.kind && one.line === (property.line || 0));
    let found = "";
    if (trace >= 0) {
      found = make("button", `${plural(stepsOf(data.traces[trace]), "step")}`, { class: "link", type: "button" });
      found.addEventListener("click", () => { chooseTrace(trace); at("counterexample").scrollIntoView(); });
    }
    const word = make("span", kPropertyWords[property.verdict] || property.verdict, { class: `word ${classOf(property.verdict)}` });
    return [property.name, property.kind, property.line ? lineLink(property.line) : "", word, found];
  });
  section.append(tableOf([["Property"], ["Kind"], ["Line"], ["Verdict"], ["Counterexample"]], rows));
  if (result.run_semantics) section.append(make("p", `Runs: ${result.run_semantics}.`, { class: "soft" }));
  if (result.assumptions.length) section.append(make("p", `Taken for granted: ${result.assumptions.join(", ")}.`));
}
function lineLink(line) {
  if (data.source === null) return String(line);
  const link = make("button", line, { class: "link", type: "button", "aria-label": `line ${line} of the model` });
  link.addEventListener("click", () => markLine(line, true));
  return link;
}

// Counterexamples ------------------------------------------------------------
let viewer = null;
function chooseTrace(i) {
  if (viewer) viewer.end();
  const trace = data.traces[i], root = at("steps");
  at("choice").value = String(i);
  at("remark").textContent = [plural(stepsOf(trace), "step"), trace.omitted ? `${trace.omitted.count.toLocaleString("en")} of them are left out` : "", trace.loop === null ? "" : `repeats for ever from step ${numberOf(trace, trace.loop)}`,
    trace.remark].filter(text => text).join(" \u00b7 ");
  viewer = traceViewer(root, trace, at("counterexample"));
}
function showTraces() {
  if (!data.traces.length) return;
  const section = part("counterexample", data.traces.length === 1 ? "Counterexample" : "Counterexamples");
  const choice = make("select", undefined, { id: "choice", "aria-label": "Counterexample of" });
  data.traces.forEach((trace, i) => choice.append(make("option", `${trace.kind} "${trace.property}"`, { value: i })));
  choice.addEventListener("change", () => chooseTrace(Number(choice.value)));
  const line = make("p", undefined, { class: "choice" });
  line.append(choice);
  section.append(line, make("p", undefined, { id: "remark", class: "soft" }));
  const root = make("div", undefined, { id: "steps" });
  root.addEventListener("step", event => { if (event.detail.line) markLine(event.detail.line, false); });
  section.append(root, keysText());
  for (const trace of data.traces) {
    const paper = make("div", undefined, { class: "printed" });
    paper.append(make("h3", `${trace.kind} ${trace.property}`), printedTrace(trace));
    section.append(paper);
  }
  chooseTrace(0);
}

// Charts ---------------------------------------------------------------------
let charts = [];
function color(name) { return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(); }
const faded = (name, share) => `color-mix(in srgb, ${color(name)} ${share}%, transparent)`;
// `options`: () => {series, axes...} with the colors of now.
function chart(into, title, what, columns, options) {
  const figure = make("figure"), caption = make("figcaption", title), box = make("div", undefined, { role: "img", "aria-label": `${title}: ${what}` });
  caption.append(make("span", what, { class: "what" }));
  figure.append(caption, box);
  into.append(figure);
  charts.push({ box, columns, options, plot: null, width: 0 });
}
const kWhole = [], kPowers = [];  // distances between ticks
for (let i = 0; i < 15; ++i) kWhole.push(10 ** i, 2 * 10 ** i, 5 * 10 ** i);
for (let i = 0; i < 50; ++i) kPowers.push(2 ** i);
function axis(values, more) {
  return { stroke: color("soft"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line"), width: 1 }, values, size: 58,
    font: "12px system-ui", ...more };
}
const below = (values, more) => axis(values, { size: 34, ...more });
// Only powers of ten have a line.
function logAxis() {
  const filter = (plot, ticks) => ticks.map(tick => tick && Math.abs(Math.log10(tick) % 1) < 1e-9 ? tick : null);
  const one = axis(shorts, { filter });
  one.grid.filter = one.ticks.filter = filter;
  return one;
}
function draw(one) {
  const width = one.box.clientWidth;
  if (!width) return;
  one.width = width;
  if (one.plot) one.plot.destroy();
  one.plot = new uPlot({ width, height: 240, cursor: { drag: { x: false, y: false } }, legend: { live: true }, ...one.options() }, one.columns, one.box);
}
const drawAll = () => charts.forEach(draw);
const shorts = (plot, ticks) => ticks.map(tick => tick === null || tick === undefined ? "" : short(tick));
const sizes = (plot, ticks) => ticks.map(tick => tick === null || tick === undefined ? "" : bytes(tick));
const lineOf = (label, name, more) => ({ label, stroke: color(name), width: 2, points: { show: false }, value: (plot, value) => value === null || value === undefined ? "-" : count(value), ...more });

function showLevels() {
  const levels = result.levels;
  if (levels.length < 2 || result.depth === null) return;
  const section = part("levels", "Levels and forecast"), grid = make("div", undefined, { class: "charts" });
  section.append(grid);
  const xs = levels.map((_, i) => i);
  chart(grid, "States in each level", "how wide the search was at each distance from the initial states", [xs, levels], () => ({
    scales: { x: { time: false } }, axes: [below(shorts, { incrs: kWhole }), axis(shorts, { incrs: kWhole })],
    series: [{ label: "level" }, lineOf("states", "accent", { fill: faded("accent", 18) })] }));
  const known = data.forecasts.some(one => one);
  const met = [];
  levels.reduce((sum, states) => { met.push(sum + states); return sum + states; }, 0);
  const lows = data.forecasts.map(one => one ? one[0] : null), highs = data.forecasts.map(one => one ? one[1] : null);
  if (known)
    chart(grid, "Forecast of all states", "what was foretold at each level, and how many were found by then", [xs, met, lows, highs], () => ({
      scales: { x: { time: false }, y: { distr: 3 } }, axes: [below(shorts, { incrs: kWhole }), logAxis()],
      bands: [{ series: [3, 2], fill: faded("unsure", 25) }],
      series: [{ label: "level" }, lineOf("found", "accent"), lineOf("at least", "unsure", { width: 1 }), lineOf("at most", "unsure", { width: 1 })] }));
  else if (!running()) section.append(make("p", "There was no forecast: levels were too few, or their sizes too uneven.", { class: "soft" }));
  const rows = levels.map((states, i) => [String(i), count(states), count(met[i]),
    data.forecasts[i] ? `${count(lows[i])} to ${count(highs[i])}` : ""]);
  section.append(folded("The figures", () => tableOf([["Level", "number"], ["States", "number"], ["Up to it", "number"], ["Forecast of all", "number"]], rows, "narrow")));
}

// Resources ------------------------------------------------------------------
const kColors = ["#2f78b7", "#c46a1b", "#3f8f56", "#8a5bb5", "#b23a48", "#7d7d2a", "#2b9aa0", "#9b6a52", "#6b7686"];
function split(section, title, parts, text) {
  const sum = parts.reduce((all, one) => all + one[1], 0);
  if (!(sum > 0)) return;
  section.append(make("h3", title));
  const bar = make("div", undefined, { class: "bar", role: "img", "aria-label": parts.map(([name, value]) => `${name} ${Math.round(100 * value / sum)}%`).join(", ") });
  const rows = parts.map(([name, value], i) => {
    const piece = make("i"), swatch = make("span", undefined, { class: "swatch" }), cell = make("span");
    piece.style.width = `${100 * value / sum}%`;
    piece.style.background = swatch.style.background = kColors[i % kColors.length];
    bar.append(piece);
    cell.append(swatch, name);
    return [cell, text(value), `${(100 * value / sum).toFixed(1)}%`];
  });
  section.append(bar, tableOf([["What"], ["Value", "number"], ["Share", "number"]], rows, "narrow"));
}
function showResources() {
  const section = part("resources", "Time, memory and disk");
  const phases = Object.entries(data.phases).filter(one => one[1] > 0);
  if (phases.length) split(section, "Where the time went", phases, time);
  if (result.time_split) split(section, "What the threads did", Object.entries(result.time_split).filter(one => one[1] > 0), time);
  const moments = data.moments;
  if (moments.length > 2 && moments[moments.length - 1].seconds > moments[0].seconds) {
    const grid = make("div", undefined, { class: "charts" });
    section.append(make("h3", "In the course of the check"), grid);
    const xs = moments.map(one => one.seconds);
    const seconds = () => below((plot, ticks) => ticks.map(tick => tick < 100 ? `${+tick.toFixed(3)} s` : time(tick).replace(" 0 s", "")));
    chart(grid, "States", "found by then", [xs, moments.map(one => one.states)], () => ({
      scales: { x: { time: false } }, axes: [seconds(), axis(shorts, { incrs: kWhole })],
      series: [{ label: "seconds" }, lineOf("states", "accent", { fill: faded("accent", 18) })] }));
    const disk = moments.some(one => one.disk_bytes);
    const columns = [xs, moments.map(one => one.memory_bytes)];
    if (disk) columns.push(moments.map(one => one.disk_bytes));
    const size = (plot, value) => value === null || value === undefined ? "-" : bytes(value);
    chart(grid, disk ? "Memory and disk" : "Memory", "in use at that time", columns, () => ({
      scales: { x: { time: false }, y: { range: (plot, low, high) => [0, Math.max(1, high * 1.05)] } }, axes: [seconds(), axis(sizes, { size: 72, incrs: kPowers })],
      series: [{ label: "seconds" }, lineOf("memory", "accent", { value: size })].concat(disk ? [lineOf("disk", "unsure", { value: size })] : []) }));
  }
  if (running()) return;
  const rows = [["Time", time(result.seconds)]];
  if (result.earlier_seconds) rows.push(["Time of earlier processes", time(result.earlier_seconds)]);
  rows.push(["Peak memory", bytes(result.peak_memory_bytes)], ["Memory limit", bytes(result.memory_limit_bytes)]);
  if (result.states && result.model.row_bytes) rows.push(["A state", `${result.model.row_bits} bits, ${bytes(result.model.row_bytes)} in memory`]);
  rows.push(["Written to disk", bytes(result.disk_bytes_written)], ["Read from disk", bytes(result.disk_bytes_read)], ["Threads", String(result.threads)]);
  for (const [name, value] of Object.entries(result.counters || {})) rows.push([name, count(value)]);
  section.append(make("h3", "Figures"), tableOf([["What"], ["Value", "number"]], rows, "narrow"));
  if (result.ranks) showRanks(section, result.ranks);
}
function showRanks(section, ranks) {
  const number = name => [name, "number"];
  section.append(make("h3", "Ranks"), make("p", `The rank with the most states has ${ranks.skew.toFixed(2)} times the mean.`),
    tableOf([["Rank"], number("States"), number("Peak memory"), number("Disk"), number("Sent"), number("Received"), number("Threads waited")],
      ranks.each.map((one, i) => [String(i), count(one.states), bytes(one.peak_memory_bytes), bytes(one.disk_bytes),
        bytes(one.bytes_sent), bytes(one.bytes_received), time(one.waiting_seconds)])));
}

// Coverage and source --------------------------------------------------------
function neverList(section) {
  const coverage = result.coverage;
  if (!coverage) return;
  const so = result.complete ? "" : " in the states that were visited";
  const items = [];
  for (const rule of coverage.rules) if (!rule.start && rule.fired === 0) items.push([`rule "${rule.name}" did not fire${so}`, rule.line]);
  for (const one of coverage.antecedents) if (!one.held) items.push([`an antecedent of "${one.property}" was never true${so}`, one.line]);
  const values = coverage.enumeration_values.filter(one => !one.assigned);
  for (const one of values) items.push([`the value ${one.name} was never assigned${so}`, one.line]);
  const rules = coverage.rules.filter(rule => !rule.start), fired = rules.filter(rule => rule.fired > 0).length;
  section.append(make("p", `${fired} of ${plural(rules.length, "rule")} fired.`));
  if (items.length) {
    const list = make("ul");
    for (const [text, line] of items) {
      const item = make("li", `${text}, line `);
      item.append(line ? lineLink(line) : "unknown");
      list.append(item);
    }
    section.append(list);
  }
  const rows = coverage.rules.map(rule => [rule.name, rule.line ? lineLink(rule.line) : "", rule.start ? "start state" : "rule", count(rule.fired), count(rule.excluded)]);
  section.append(folded("All rules", () => tableOf([["Rule"], ["Line"], ["Kind"], ["Fired", "number"], ["Excluded by assumptions", "number"]], rows)));
}
let lines = [];
function markLine(line, move) {
  lines.forEach(row => row.classList.remove("current"));
  const row = lines[line - 1];
  if (!row) return;
  row.classList.add("current");
  const box = at("source-box");
  box.scrollTop = row.offsetTop - box.clientHeight / 3;
  if (move) { at("source").scrollIntoView(); box.focus({ preventScroll: true }); }
}
function showSource() {
  if (data.source === null) {
    if (result.coverage) neverList(part("source", "Coverage"));
    return;
  }
  const section = part("source", result.coverage ? "Coverage" : "Model");
  neverList(section);
  const fired = new Map(), bad = new Set();
  for (const rule of (result.coverage || { rules: [] }).rules) if (rule.line) fired.set(rule.line, (fired.get(rule.line) || 0) + rule.fired);
  for (const property of result.properties) if (property.verdict === "violated" && property.line) bad.add(property.line);
  for (const one of result.diagnostics) if (one.severity === "error") bad.add(one.line);
  const box = make("div", undefined, { class: "source", id: "source-box", tabindex: "0", role: "region", "aria-label": "Source text of the model" });
  const table = make("table", undefined, { role: "presentation" }), body = make("tbody");
  lines = data.source.replace(/\n$/, "").split("\n").map((text, i) => {
    const row = make("tr"), hits = make("td", "", { class: "hits" });
    if (fired.has(i + 1)) {
      const times = fired.get(i + 1);
      hits.textContent = times ? `${count(times)}\u00d7` : "never";
      row.className = times ? "fired" : "dead";
    }
    if (bad.has(i + 1)) { row.classList.add("bad"); hits.textContent = hits.textContent || "\u2717"; }
    row.append(make("td", i + 1, { class: "at" }), hits, make("td", text));
    body.append(row);
    return row;
  });
  table.append(body);
  box.append(table);
  section.append(box);
}

// The rest -------------------------------------------------------------------
function showDiagnostics() {
  if (!result.diagnostics.length) return;
  const section = part("diagnostics", "Errors and warnings");
  section.append(tableOf([["Message"], ["Severity"], ["Line"]], result.diagnostics.map(one => [one.message, one.severity, one.line ? lineLink(one.line) : ""])));
}
function showDetails() {
  const section = part("details", "How it was checked");
  section.append(make("pre", result.command.map(word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`).join(" "), { class: "command" }));
  const rows = [["Spillway", `${result.spillway.version}${result.spillway.commit ? ` (${result.spillway.commit})` : ""}`], ["Model", result.model.path]];
  if (result.model.sha256) rows.push(["SHA-256 of the model", result.model.sha256]);
  const constants = Object.entries(result.constants || {});
  if (constants.length) rows.push(["Constants", constants.map(([name, value]) => `${name} = ${value}`).join(", ")]);
  rows.push(["Algorithm", result.algorithm], ["Symmetry", result.symmetry], ["Deadlock", result.deadlock || "-"]);
  if (!running()) rows.push(["Exit code", String(result.exit_code)]);
  if (result.executions.length) rows.push(["Executed by", result.executions.map(one => one.first_level ? `${one.by} from level ${one.first_level} on` : one.by).join(", ")]);
  if (result.run_directory) rows.push(["Run directory", result.run_directory]);
  for (const one of result.products) rows.push([`Product of ${one.property}`, `${count(one.states)} states`]);
  if (!running()) rows.push(["Digest of all states", result.digest]);
  section.append(tableOf([["What"], ["Value"]], rows.map(([name, value]) => [name, make("span", value)])));
}

function showAll() {
  showVerdict();
  showDiagnostics();
  showProperties();
  showTraces();
  showLevels();
  showResources();
  showSource();
  if (viewer) chooseTrace(0);  // now there are lines to mark
  showDetails();
  drawAll();
}

// News -----------------------------------------------------------------------
const kNewsSeconds = 2;
const kFocusable = "summary, [tabindex], button, select, input, a";
// What somebody was looking at stays where it is.
function keepingPlace(change) {
  const active = document.activeElement, section = active && active.closest("section.part");
  const place = section ? [section.id, [...section.querySelectorAll(kFocusable)].indexOf(active)] : null;
  const open = [...document.querySelectorAll("details[open] > summary")].map(one => one.textContent);
  const top = scrollY;
  change();
  for (const one of document.querySelectorAll("details > summary")) if (open.includes(one.textContent)) one.parentElement.open = true;
  const focused = place && at(place[0]) && at(place[0]).querySelectorAll(kFocusable)[place[1]];
  if (focused && focused !== document.activeElement) focused.focus({ preventScroll: true });
  scrollTo(0, top);
}
function refresh(news) {
  news.source = data.source;
  data = news;
  result = data.result;
  keepingPlace(() => {
    if (running()) { showVerdict(); showLevels(); showResources(); }
    else { at("list").replaceChildren(); at("parts").replaceChildren(); showAll(); }
    for (const one of charts) if (one.plot && !one.box.isConnected) one.plot.destroy();
    charts = charts.filter(one => one.box.isConnected);
    charts.forEach(one => { if (!one.plot) draw(one); });
  });
}
async function follow() {
  const address = `${location.pathname.replace(/\/$/, "")}/data`;
  while (running()) {
    await new Promise(done => setTimeout(done, 1000 * kNewsSeconds));
    try {
      refresh(await (await fetch(address)).json());
    } catch {
      at("verdict").append(make("p", "The check does not answer any more. This is the last that was heard of it.", { role: "status" }));
      return;
    }
  }
}

showAll();
if (data.live) {
  document.querySelector("footer").textContent = "This page shows a check while it runs. It was made by Spillway. Its charts are drawn by uPlot.";
  follow();
}
new ResizeObserver(() => charts.forEach(one => { if (one.box.clientWidth !== one.width) draw(one); })).observe(at("parts"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
matchMedia("print").addEventListener("change", drawAll);
