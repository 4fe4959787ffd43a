/**
 * The page on a large store, in a real browser: `node bench/page.ts [--feeds 10000] [--entries 200000] [--scroll 50000] [--file store.db]`.
 * A large store has 100,000 feeds and 2,000,000 entries. Prints the time from the start of the navigation until the first entries are
 * painted, with an empty and with a filled cache, and the bytes transferred for the first view; then scrolls down as fast as frames come, and prints the longest frame, the longest task,
 * and how many frames took three times as long as they should. A file is kept and reused.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { createLog, defaultConfig, openCrawl, startServer } from '../src/app/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { openBrowser } from '../test/e2e/browser.ts'
import { commit } from './current-commit.ts'
import { fillStore } from './filled-store.ts'

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '10000' },
    entries: { type: 'string', default: '200000' },
    scroll: { type: 'string', default: '50000' },
    file: { type: 'string' },
  },
})
const [feeds, entries, toScroll] = [Number(values.feeds), Number(values.entries), Number(values.scroll)]
const RUNS = 5
const ROW_HEIGHT = 112
/** Rows per frame: faster than people read, slower than the list loads. */
const ROWS_A_FRAME = 10

const folder = values.file ? undefined : mkdtempSync(join(tmpdir(), 'freshet-page-'))
const file = values.file ?? join(folder ?? '', 'page.db')
const now = Date.now()
const isThere = existsSync(file)
const began = performance.now()
await openSqliteStore({ file, mode: 'write', now: () => now }).store.close()
if (!isThere) fillStore(file, { feeds, entries, now })
console.log(`commit ${commit()}, node ${process.version}`)
console.log(`${feeds} feeds, ${entries} entries: filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)

const config = { ...defaultConfig(), store: file, port: 0 }
const crawl = await openCrawl(config)
const log = createLog({ level: 'error', format: 'text', now: Date.now, write: (line) => console.error(line) })
const server = await startServer(config, crawl, log)
const url = `${server.url.replace('localhost', '127.0.0.1')}/read/all`
try {
  await fetch(url) // in a checkout, the first request builds the page
  const opened = await openBrowser()
  if ('missing' in opened) throw new Error(opened.missing)
  await measure(opened.browser)
  await opened.browser.close()
} finally {
  await server.close()
  await crawl.close(0)
  if (folder) rmSync(folder, { recursive: true })
}

async function measure(browser: Browser): Promise<void> {
  const cold: number[] = []
  const warm: number[] = []
  const bytes: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const { page, close } = await freshPage(browser)
    const transferred = await countTransferred(page)
    await page.goto(url)
    cold.push(await firstView(page))
    await page.waitForTimeout(1500) // what the first view needs besides entries: feeds, counts, icons
    bytes.push(transferred())
    await page.reload()
    warm.push(await firstView(page))
    await close()
  }
  console.log(`first view, nothing kept     ${figures(cold)} ms`)
  console.log(`first view, script kept      ${figures(warm)} ms`)
  console.log(`first view, transferred      ${figures(bytes.map((count) => count / 1000))} kB`)
  const { page, close } = await freshPage(browser)
  await page.goto(url)
  await firstView(page)
  await page.waitForTimeout(2000) // counts may still be loading
  const start = performance.now()
  const scrolled = await page.evaluate<Scrolled>(scroll(toScroll))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const { rows, frames, longestFrame, longFrames, longestTask, longTasks, heapMb } = scrolled
  console.log(`scrolled ${rows} entries in ${frames} frames, ${seconds} s; ${heapMb} MB of heap`)
  console.log(`longest frame ${longestFrame} ms, ${longFrames} longer than 50 ms`)
  console.log(`longest task ${longestTask} ms, ${longTasks} longer than 50 ms`)
  await close()
}

interface Scrolled {
  rows: number
  frames: number
  longestFrame: number
  longFrames: number
  longestTask: number
  longTasks: number
  heapMb: number
}

async function freshPage(browser: Browser): Promise<{ page: Page; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.addInitScript(`{
    const look = () => {
      if (!document.querySelector('.entry .title')) return requestAnimationFrame(look)
      requestAnimationFrame(() => (window.firstViewAt = performance.now())) // the frame that shows them is painted before this one
    }
    requestAnimationFrame(look)
  }`)
  return { page, close: () => context.close() }
}

/** Bytes of responses as they were sent, with their headers. */
async function countTransferred(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  return () => bytes
}

async function firstView(page: Page): Promise<number> {
  for (;;) {
    const at = await page.evaluate<number | undefined>('window.firstViewAt')
    if (at !== undefined) return at
    await page.waitForTimeout(20)
  }
}

/** Runs in the page: scrolls some rows per frame, and pauses where the list ends for now. */
function scroll(most: number): string {
  return `(async () => {
    const tasks = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
    const list = document.querySelector('.entry').closest('[role="region"]')
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const frames = []
    let last = await frame()
    let stuck = 0
    while (list.scrollTop < ${most * ROW_HEIGHT} && stuck < 600) {
      const before = list.scrollTop
      list.scrollTop += ${ROWS_A_FRAME * ROW_HEIGHT}
      const at = await frame()
      frames.push(at - last)
      last = at
      stuck = list.scrollTop === before ? stuck + 1 : 0
    }
    const round = (value) => Math.round(value * 10) / 10
    return {
      rows: Math.round(list.scrollTop / ${ROW_HEIGHT}),
      frames: frames.length,
      longestFrame: round(Math.max(...frames)),
      longFrames: frames.filter((ms) => ms > 50).length,
      longestTask: round(Math.max(0, ...tasks)),
      longTasks: tasks.length,
      heapMb: Math.round((performance.memory?.usedJSHeapSize ?? 0) / 1e6),
    }
  })()`
}

function figures(times: number[]): string {
  const sorted = times.map(Math.round).sort((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)]} (from ${sorted[0]} to ${sorted.at(-1)})`
}
