// Takes the pictures of the manual: node pictures.mjs PAGES PICTURES SPILLWAY SOURCES.  Called by scripts/site/pictures.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [pages, pictures, spillway, source] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });

async function picture(name, address, before) {
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 720 }, colorScheme: "light" })).newPage();
  await page.goto(address);
  await before(page);
  await page.screenshot({ path: `${pictures}/${name}.png` });
  await page.context().close();
}

// Two steps into the counterexample, as somebody would who reads it.
async function steps(page) {
  await page.locator(".trace .state").focus();
  for (const key of ["End", "ArrowLeft"]) await page.keyboard.press(key);
}

await picture("report", `file://${pages}/violated.html`, async () => {});
await picture("levels", `file://${pages}/verified.html`, page => page.getByRole("link", { name: "Levels and forecast" }).click());
await picture("trace", `file://${pages}/trace.html`, steps);

const explorer = spawn(spillway, ["explore", "examples/msi/msi.m"], { cwd: source, stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found, failed) => {
  createInterface({ input: explorer.stdout }).on("line", line => {
    const match = line.match(/http:\/\/\S+/);
    if (match) found(match[0]);
  });
  process.on("exit", () => explorer.kill("SIGINT"));
  explorer.on("exit", code => failed(new Error(`spillway explore ended with ${code}`)));
});
await picture("explorer", address, async page => {
  for (const [key, step] of [["1", 0], ["4", 1], ["6", 2]]) {
    await page.keyboard.press(key);
    await page.getByText(`Step ${step}:`).first().waitFor();
  }
});
explorer.removeAllListeners("exit");
await browser.close();
process.exit(0);
