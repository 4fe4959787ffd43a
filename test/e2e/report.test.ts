/** The HTML report of the lab in a real browser: no requests, fits a phone, dims curves that are not selected. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateTraces, replayTraces, reportPage } from '../../src/lab/index.ts'
import { DAY } from '../../src/model/index.ts'
import { LIMITS } from '../../src/scheduling/index.ts'
import { openBrowser } from './browser.ts'

const opened = await openBrowser()
const browser: Browser | undefined = 'browser' in opened ? opened.browser : undefined
const why = 'missing' in opened ? ` (${opened.missing})` : ''

describe.skipIf(!browser)(`the report in a browser${why}`, () => {
  let folder: string
  const requested: string[] = []
  const messages: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-report-'))
    const traces = [...generateTraces({ feeds: 10, days: 40, seed: 1, now: Date.UTC(2026, 0, 1) })]
    const options = {
      strategies: ['moving-average', 'sqrt-rate'],
      budgets: [{ kind: 'polls' as const, perDay: 100 }],
      warmupMs: 7 * DAY,
      scoreMs: 14 * DAY,
      seed: 1,
      limits: LIMITS,
      thorough: true,
    }
    const findings = await replayTraces({ traces, files: [], messages: [] }, options, { workerCount: 0 })
    await writeFile(join(folder, 'lab.html'), reportPage(findings))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  async function open(width: number): Promise<Page> {
    const page = await browser!.newPage({ viewport: { width, height: 800 } })
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.goto(`file://${join(folder, 'lab.html')}`)
    return page
  }

  it('requests nothing and logs no errors', async () => {
    const page = await open(1200)
    expect(requested).toEqual([`file://${join(folder, 'lab.html')}`])
    expect(messages).toEqual([])
    await page.close()
  })

  it.each([1200, 390])('fits a window of %d pixels, with its drawing', async (width) => {
    const page = await open(width)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.locator('.wide svg').first().isVisible()).toBe(width > 640)
    expect(await page.locator('.narrow svg').first().isVisible()).toBe(width <= 640)
    await page.close()
  })

  it('dims the other curves when one is selected, and shows the other plot on request', async () => {
    const page = await open(1200)
    const isOn = (strategy: string) =>
      page
        .locator(`svg .series[data-strategy="${strategy}"]`)
        .first()
        .evaluate((line) => line.classList.contains('on'))
    await page.getByRole('button', { name: 'sqrt-rate' }).click()
    expect([await isOn('sqrt-rate'), await isOn('moving-average')]).toEqual([true, false])
    expect(await page.evaluate("document.documentElement.classList.contains('picked')")).toBe(true)
    await page.getByRole('radio', { name: 'per feed' }).check()
    expect(await page.getByLabel('Delay per feed against polls a day').first().isVisible()).toBe(true)
    expect(await page.getByLabel('Delay per item against polls a day').first().isVisible()).toBe(false)
    await page.close()
  })
})
