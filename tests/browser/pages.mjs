// Opens pages in chromium, as tests/browser/run made them: NAME.html in this folder, or NAME=ADDRESS of a page that is served.
//
// For each: nothing is written to the console, nothing is loaded from elsewhere, axe finds nothing, and no page is wider than
// the window; at three sizes, in light and dark.  Where there is a counterexample, its keys work, and so do those of the
// explorer.  A dashboard follows its check to the end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const sizes = { phone: [390, 844], tablet: [820, 1180], desk: [1440, 900] };
const faults = [];
const served = new Map(), names = [];
for (const word of process.argv.slice(2)) {
  const sign = word.indexOf("=");
  names.push(sign < 0 ? word : word.slice(0, sign));
  if (sign >= 0) served.set(names.at(-1), word.slice(sign + 1));
}
const home = name => served.get(name) || `file://${process.cwd()}/${name}.html`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });

// The first letters of a name tell what kind of page it is.
async function opened(name, size, scheme, bypassCSP = true, path = "") {
  const context = await browser.newContext({ viewport: { width: sizes[size][0], height: sizes[size][1] }, colorScheme: scheme, bypassCSP });
  const page = await context.newPage();
  const fault = text => faults.push(`${name}, ${size}, ${scheme}: ${text}`);
  page.on("console", message => fault(`console: ${message.text()}`));
  page.on("pageerror", error => fault(`error: ${error.message}`));
  page.on("request", request => { if (!request.url().startsWith(home(name)) && request.url() !== "data:,") fault(`loads ${request.url()}`); });
  await page.goto(home(name) + path);
  return { context, page, fault };
}

async function look(name, size, scheme, path = "", shown = name) {
  const { context, page, fault } = await opened(name, size, scheme, true, path);
  if (name === "dashboard") await page.locator("#levels canvas").first().waitFor();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) fault(`${wider} pixels wider than the window`);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run());
  assert(found.passes.length > 5);
  for (const one of found.violations) fault(`axe: ${one.id}: ${one.nodes.map(node => node.target).slice(0, 3).join(", ")}`);
  await page.screenshot({ path: `${shown}-${size}-${scheme}.png`, fullPage: true });
  await context.close();
}

async function keys(name) {
  const { context, page } = await opened(name, "desk", "light");
  const current = () => page.locator(".trace .steps [aria-current] b").textContent();
  const last = await page.locator(".trace .steps button").count() - 1;
  const loops = await page.locator(".trace .steps .loop").count() > 0;
  await page.locator(".trace .state").focus();
  assert.equal(await current(), "0");
  for (const [key, step] of [["ArrowRight", 1], ["ArrowDown", 2], ["ArrowLeft", 1], ["End", last], ["Home", 0]]) {
    await page.keyboard.press(key);
    assert.equal(await current(), String(Math.min(step, last)), `${name}: ${key}`);
  }
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  assert.equal(Number(await current()) <= last && (loops || await current() === String(last)), true, name);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const rows = () => page.locator(".trace tbody tr").count();
  const changed = await rows();
  await page.keyboard.press("a");
  const all = await rows();
  assert(all >= changed, name);
  await page.keyboard.press("/");
  await page.keyboard.type("no variable is called this");
  assert.equal(await rows(), 0, `${name}: filter`);
  await page.keyboard.press("Escape");
  assert.equal(await rows(), all, `${name}: Escape`);
  await page.keyboard.press("f");
  const wanted = await page.locator(".trace .steps button").last().locator("span").textContent();
  await page.keyboard.type(wanted);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".trace .steps [aria-current] span").textContent(), wanted, `${name}: find`);
  await context.close();
}

// On paper, a counterexample is a list, and charts and source are there.
async function paper(name) {
  const { context, page } = await opened(name, "desk", "dark");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".trace").isVisible(), false);
  assert.equal(await page.locator(".printed li").first().isVisible(), true);
  await page.pdf({ path: `${name}.pdf` });
  await context.close();
}

// Through the states of a model, as its own policy allows.
async function walk(name) {
  const { context, page } = await opened(name, "desk", "light", false);
  const here = () => page.url().slice(home(name).length);
  const press = async (key, wanted) => {
    const reached = wanted === undefined ? null : page.waitForURL(home(name) + wanted);
    await page.keyboard.press(key);
    await reached;
  };
  assert.equal(here(), "state/");
  await press("1", "state/i1");
  await press("2", "state/i1.2");
  assert.equal(await page.locator("nav [aria-current] b").textContent(), "1");
  await press("ArrowLeft", "state/i1");
  await press("ArrowDown");
  await press("ArrowDown");
  await press("ArrowUp");
  await press("ArrowDown");
  await press("Enter", "state/i1.2");
  const rows = () => page.locator("#state tr:visible").count();
  const all = await rows();
  await press("c");
  const changed = await rows();
  assert(changed > 0 && changed < all, `${changed} of ${all}`);
  await press("c");
  await press("/");
  await page.keyboard.type("no variable is called this");
  assert.equal(await rows(), 0);
  await press("Escape");
  assert.equal(await rows(), all);
  await press("Home", "state/");
  await context.close();
}

// While it runs, and when it has ended.
async function follow(name) {
  const { context, page } = await opened(name, "desk", "light", false);
  const word = page.locator("#verdict b"), states = page.locator("#tiles dd").first();
  assert.equal(await word.textContent(), "RUNNING");
  const summary = page.locator("#levels summary");
  await summary.click();
  const before = await states.textContent();
  await page.waitForFunction(text => document.querySelector("#tiles dd").textContent !== text, before);
  assert.equal(await page.locator("#levels details").getAttribute("open"), "", "what was opened stays open");
  assert.equal(await summary.evaluate(one => one === document.activeElement), true, "and has the focus");
  await page.locator("#verdict.violated, #verdict.verified, #verdict.inconclusive").waitFor({ timeout: 300000 });
  assert.equal(await word.textContent(), "INCONCLUSIVE");
  assert.equal(await page.locator("#source").count(), 1);
  await page.screenshot({ path: `${name}-end.png`, fullPage: true });
  await context.close();
}

const kStates = { explore: ["state/i1.1", "state/t1.4", "state/i9"] };
for (const name of names)
  for (const scheme of ["light", "dark"])
    for (const size of Object.keys(sizes)) {
      await look(name, size, scheme);
      for (const path of kStates[name] || []) await look(name, size, scheme, path, `${name}-${path.replace(/\W/g, "-")}`);
    }
for (const name of names.filter(one => ["violated", "lasso", "trace"].includes(one))) {
  await keys(name);
  await paper(name);
}
if (served.has("explore")) await walk("explore");
if (served.has("dashboard")) await follow("dashboard");
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${names.length} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
