/**
 * Takes docs/page.png, the screenshot of the README, from a running demo in a real browser: `node tools/readme-screenshot.ts`
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { openBrowser } from '../test/e2e/browser.ts'

const demo = spawn(process.execPath, ['bin/freshet.js', 'demo', '--port', '0', '--for', '60s'], { stdio: 'pipe' })
let url = ''
for await (const line of createInterface(demo.stdout)) {
  url = /while it runs: (\S+)/.exec(line)?.[1] ?? url
  if (url && /: \d+ new/.test(line)) break
}
const opened = await openBrowser()
if ('missing' in opened) throw new Error(opened.missing)
const page = await opened.browser.newPage({ viewport: { width: 1120, height: 760 } })
await page.goto(url)
await page.waitForTimeout(8000)
await page.screenshot({ path: 'docs/page.png' })
await opened.browser.close()
demo.kill('SIGTERM')
