// Opens pages in chromium, as tests/browser/run made them: NAME.html in this folder.
//
// For each: nothing is written to the console, nothing is loaded, axe finds nothing, and no page is wider than the window;
// at three sizes, in light and dark.  Where there is a counterexample, its keys work.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const sizes = { phone: [390, 844], tablet: [820, 1180], desk: [1440, 900] };
const faults = [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });

async function opened(name, size, scheme) {
  const context = await browser.newContext({ viewport: { width: sizes[size][0], height: sizes[size][1] }, colorScheme: scheme, bypassCSP: true });
  const page = await context.newPage();
  const fault = text => faults.push(`${name}, ${size}, ${scheme}: ${text}`);
  page.on("console", message => fault(`console: ${message.text()}`));
  page.on("pageerror", error => fault(`error: ${error.message}`));
  page.on("request", request => { if (!request.url().endsWith(`/${name}.html`)) fault(`loads ${request.url()}`); });
  await page.goto(`file://${process.cwd()}/${name}.html`);
  return { context, page, fault };
}

async function look(name, size, scheme) {
  const { context, page, fault } = await opened(name, size, scheme);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) fault(`${wider} pixels wider than the window`);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run());
  assert(found.passes.length > 5);
  for (const one of found.violations) fault(`axe: ${one.id}: ${one.nodes.map(node => node.target).slice(0, 3).join(", ")}`);
  await page.screenshot({ path: `${name}-${size}-${scheme}.png`, fullPage: true });
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

for (const name of process.argv.slice(2))
  for (const scheme of ["light", "dark"])
    for (const size of Object.keys(sizes)) await look(name, size, scheme);
for (const name of process.argv.slice(2).filter(one => ["violated", "lasso", "trace"].includes(one))) {
  await keys(name);
  await paper(name);
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${process.argv.length - 2} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
