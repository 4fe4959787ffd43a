/** How lists are shown and remembered, pictures in them, and reading and marking offline, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { drawLandscape } from '../../src/lab/village/drawing.ts'
import { address } from '../../src/model/address.fixture.ts'
import { DAY, HOUR, MINUTE } from '../../src/model/index.ts'
import type { Net } from '../../src/ports/index.ts'
import { freePort } from '../../tools/free-port.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage, type PageOptions } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `lists (skipped: ${opened.missing})` : 'lists'
const PATIENTLY = { timeout: 30_000 }

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

type Stage = ReturnType<typeof createServerFixture>

/** Two feeds in two folders, with pictures at some of their entries; one picture is missing. */
async function filledStage(): Promise<Stage> {
  const net: Net = {
    async get({ url }) {
      const isThere = url.endsWith('.png') && !url.includes('gone')
      const body = isThere ? drawLandscape(url, 60, 40) : new Uint8Array(0)
      const status = isThere ? 200 : 404
      return { ok: true, status, url: address(url), redirects: [], headers: {}, body, wireBytes: 0 }
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    close: async () => {},
  }
  const stage = createServerFixture({ net })
  const entries = (feed: string, stepMs: number) =>
    Array.from({ length: 20 }, (_, i) => ({
      title: `${feed} ${i}`,
      url: `https://${feed.toLowerCase()}.example/${i}`,
      agoMs: MINUTE + i * stepMs,
      summary: `<p><img src="/${i === 1 ? 'gone' : i}.png"></p><p>About ${feed} number ${i}.</p>`,
    }))
  await stage.addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    folder: 'Ports',
    entries: entries('Harbor', 5 * HOUR),
  })
  await stage.addFeed({
    url: 'https://mill.example/feed',
    title: 'Mill',
    folder: 'Blogs',
    entries: entries('Mill', DAY),
  })
  const user = await stage.store.firstUser()
  const ids = (await stage.store.listEntries({ limit: 99 })).entries.map(({ id }) => id)
  await stage.store.markEntries(user, ids, 'unread', 1)
  return stage
}

async function open(stage: Stage, path: string, options: PageOptions = {}) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, options)
  toClose.push(shown.close)
  await shown.page.locator('.entry').first().waitFor()
  return { ...shown, ...server }
}

const titles = (page: Page) => page.locator('.entry .title').allTextContents()
const view = (page: Page) => page.getByRole('button', { name: 'View', exact: true })
const article = (page: Page) => page.getByRole('region', { name: 'Article' })

/** Expression for the browser: the starred state of each entry that waits in its storage. */
const QUEUED_STARS = `new Promise((resolve) => {
  indexedDB.open('freshet').onsuccess = ({ target }) => {
    const request = target.result.transaction('marks').objectStore('marks').getAll()
    request.onsuccess = () => resolve(request.result.filter(({ kind }) => kind === 'starred').map(({ isSet }) => isSet))
  }
})`

describe.skipIf(!browser)(name, () => {
  test('show pictures and the beginning of texts; a missing picture leaves no gap', async () => {
    const { page, complaints } = await open(await filledStage(), '/read/folder/Ports')
    await page.locator('.entry .picture img').nth(2).waitFor()
    expect(await page.locator('.entry').first().textContent()).toContain('About Harbor number 0.')
    const missing = page.locator('.entry', { hasText: 'Harbor 1' }).first()
    await expect.poll(() => missing.locator('.picture').count(), PATIENTLY).toBe(0)
    expect(complaints).toEqual([])
  })

  test('cut a title that is too long, in each layout, and end all rows with the star at the same place', async () => {
    const stage = createServerFixture()
    await stage.addFeed({
      url: 'https://harbor.example/feed',
      title: 'The Harbor and Mill Gazette of the Lower Estuary',
      entries: [
        { title: 'A long title, '.repeat(20), agoMs: MINUTE, summary: '<p>About it.</p>' },
        { title: 'Short', agoMs: 200 * DAY, summary: '<p>About it.</p>' },
      ],
    })
    for (const width of [1280, 390]) {
      const { page } = await open(stage, '/read/all', { width, hasTouch: width === 390 })
      for (const layout of ['compact', 'summary', 'cards', 'magazine']) {
        await page.evaluate(`localStorage.setItem('freshet.lists', '{"*":{"layout":"${layout}"}}')`)
        await page.reload()
        await page.locator(`.entry.${layout}`).nth(1).waitFor()
        const places = await page.locator('.entry').evaluateAll((entries) =>
          entries.map((entry) => {
            const edges = (part: string) => entry.querySelector(part)!.getBoundingClientRect()
            const [title, meta, star] = [edges('.title'), edges('.meta'), edges('.star')]
            return {
              isApart: title.right <= meta.left || title.bottom <= meta.top,
              starWidth: star.width,
              toEnd: meta.right - star.right,
            }
          }),
        )
        expect(places, `${layout}, ${width}`).toEqual(
          places.map(() => ({ isApart: true, starWidth: width === 390 ? 40 : 28, toEnd: places[0]!.toEnd })),
        )
      }
    }
  })

  test('remember layout, order and groups, each list its own, without accessibility violations', async () => {
    const { page, complaints } = await open(await filledStage(), '/read/folder/Ports', { isUnguarded: true })
    await view(page).click()
    for (const choice of ['Cards', 'Oldest first', 'Day']) await page.getByText(choice, { exact: true }).click()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('.entry.cards').first().waitFor()
    await page.reload()
    await page.locator('.entry.cards').first().waitFor()
    expect((await titles(page))[0]).toBe('Harbor 19')
    expect(await page.locator('.viewport .heading').count()).toBeGreaterThan(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await page
      .getByRole('link', { name: /^Blogs/ })
      .first()
      .click()
    await page.locator('.entry.summary').first().waitFor()
    expect((await titles(page))[0]).toBe('Mill 0')
    await view(page).click()
    await page.getByText('Compact', { exact: true }).click()
    await page.getByRole('button', { name: 'Use for all lists' }).click()
    await page.goto(new URL('/read/folder/Ports', page.url()).href)
    await page.locator('.entry.compact').first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('may show unread entries only, or be grouped by feed, and keys follow the order shown', async () => {
    const { page } = await open(await filledStage(), '/read/all')
    await page.locator('.entry .to').first().click()
    await page.keyboard.press('Escape')
    await view(page).click()
    await page.getByLabel('Unread only').check()
    await page.getByText('Feed', { exact: true }).click()
    await page.keyboard.press('Escape')
    await page.locator('.viewport .heading').first().waitFor()
    await expect.poll(async () => (await titles(page)).includes('Mill 0'), PATIENTLY).toBe(false)
    const shown = await titles(page)
    expect(new Set(shown.slice(0, 8).map((title) => title.split(' ')[0])).size).toBe(1)
    for (const title of shown.slice(0, 2)) {
      await page.keyboard.press('j')
      await article(page).getByRole('heading', { name: title, exact: true }).waitFor()
    }
  })

  test('j continues from what is in sight', async () => {
    const { page } = await open(await filledStage(), '/read/folder/Ports')
    await page.keyboard.press('j')
    await article(page).getByRole('heading', { name: 'Harbor 0' }).waitFor()
    await page.evaluate('document.querySelector(".viewport").scrollTop = 900')
    await page.getByRole('link', { name: 'Harbor 12', exact: true }).waitFor()
    await page.keyboard.press('j')
    await article(page).getByRole('heading', { name: 'Harbor 9', exact: true }).waitFor()
  })

  test('of chosen folders are kept for reading offline, and what is marked meanwhile is sent later, once', async () => {
    const stage = await filledStage()
    const port = await freePort()
    const first = await stage.listen(port)
    const shown = await openPage(browser!, `${first.url}/dashboard/settings`, { keepsNews: true })
    toClose.push(shown.close)
    const { page } = shown
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), PATIENTLY).toBe(true)
    await page.getByRole('checkbox', { name: 'Blogs' }).check()
    await page.getByText(/20 entries and \d+ pictures/).waitFor(PATIENTLY)
    await page.goto(`${first.url}/read/unread`) // the worker caches what the frame needs
    await page.locator('.entry').first().waitFor()
    const closing = first.close()
    await stage.clock.advance(MINUTE)
    await closing
    await page.getByText('20 unread entries are kept here').waitFor()
    await page.getByRole('status').getByRole('link', { name: 'Blogs' }).click()
    await page.getByRole('link', { name: 'Mill 3', exact: true }).click()
    await article(page).getByText('About Mill number 3.').waitFor()
    await expect
      .poll(
        () =>
          article(page)
            .locator('.prose img')
            .evaluate((image: { naturalWidth: number }) => image.naturalWidth),
        PATIENTLY,
      )
      .toBe(60)
    await page.keyboard.press('s')
    await page.getByText('2 changes wait for the server.').waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await expect.poll(() => page.evaluate(QUEUED_STARS), PATIENTLY).toEqual([true]) // written before the page goes
    await page.reload()
    await page.getByText('2 changes wait for the server.').waitFor()
    const again = await stage.listen(port)
    toClose.unshift(again.close)
    await page.getByText('The server is unreachable.').waitFor({ state: 'detached' })
    const user = await stage.store.firstUser()
    const { entries } = await stage.store.listEntries({ limit: 99 })
    const { id } = entries.find(({ title }) => title === 'Mill 3')!
    await expect.poll(() => stage.store.entryStates(user, [id]), PATIENTLY).toEqual([{ read: true, starred: true }])
    await expect.poll(() => page.getByText(/changes? waits? for the server/).count(), PATIENTLY).toBe(0)
  })
})
