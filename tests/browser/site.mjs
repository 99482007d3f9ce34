// Opens the site in chromium, without a server and without a network: node site.mjs FOLDER [PAGE]...
//
// Every page: nothing is written to the console, and nothing is asked for that is not a file of the site.  Some pages at
// three sizes, in light and dark: axe finds nothing, none is wider than the window, and there is a picture to look at.
// The search finds a page.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const sizes = { phone: [390, 844], tablet: [820, 1180], desk: [1440, 900] };
const site = resolve(process.argv[2]);
const looked = ["index", "manual/tutorial", "manual/json", "manual/ltl", "examples/german", "design/index"];
const faults = [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });

async function opened(name, size, scheme) {
  const context = await browser.newContext({ viewport: { width: sizes[size][0], height: sizes[size][1] }, colorScheme: scheme, offline: true });
  const page = await context.newPage();
  const fault = text => faults.push(`${name}, ${size}, ${scheme}: ${text}`);
  page.on("console", message => fault(`console: ${message.text()}`));
  page.on("pageerror", error => fault(`error: ${error.message}`));
  page.on("request", request => { if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(`file://${site}/`)) fault(`loads ${request.url()}`); });
  await page.goto(`file://${site}/${name}.html`);
  return { context, page, fault };
}

async function look(name, size, scheme) {
  const { context, page, fault } = await opened(name, size, scheme);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) fault(`${wider} pixels wider than the window`);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ preload: false }));
  assert(found.passes.length > 5);
  for (const one of found.violations) fault(`axe: ${one.id}: ${one.nodes.map(node => node.target).slice(0, 3).join(", ")}`);
  await page.screenshot({ path: `site-${name.replace("/", "-")}-${size}-${scheme}.png` });
  await context.close();
}

async function search() {
  const { context, page, fault } = await opened("manual/ltl", "desk", "light");
  await page.locator(".md-search__input").click();
  await page.keyboard.type("fairness");
  const found = page.locator(".md-search-result__link").first();
  await found.waitFor({ timeout: 60000 });
  await page.screenshot({ path: "site-search.png" });
  await found.click();
  await page.waitForLoadState();
  if (!/fair/i.test(await page.locator("article").textContent())) fault("the search leads elsewhere");
  await context.close();
}

const all = readdirSync(site, { recursive: true }).filter(name => name.endsWith(".html") && name !== "404.html");
assert(all.length > 50, `${all.length} pages`);
for (const name of all) await (await opened(name.slice(0, -5), "desk", "light")).context.close();
const chosen = process.argv.length > 3 ? process.argv.slice(3) : looked;
for (const name of chosen)
  for (const scheme of ["light", "dark"])
    for (const size of Object.keys(sizes)) await look(name, size, scheme);
await search();
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${all.length} pages, ${chosen.length} looked at, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
