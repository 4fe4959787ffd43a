/** The page in a real browser, against a real server over a store that was filled by hand. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createVillage } from '../../src/lab/index.ts'
import { mediaPath } from '../../src/lab/village/media.ts'
import { address } from '../../src/model/address.fixture.ts'
import { DAY, HOUR, MINUTE } from '../../src/model/index.ts'
import { createAccounts } from '../../src/server/index.ts'
import { createStage, NOW } from '../stage.ts'
import { openBrowser } from './browser.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the page (skipped: ${opened.missing})` : 'the page'

const toClose: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

/** `complaints` gathers what the browser's console says is wrong, refusals of the content security policy among it. */
async function openPage(stage = createStage(), width = 1100) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const page = await browser!.newPage({ viewport: { width, height: 800 } })
  toClose.push(() => page.close())
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(server.url)
  await page.locator('body:not(.loading)').waitFor()
  return { ...stage, ...server, page, complaints }
}

async function filledStage() {
  const stage = createStage()
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    dueInMs: 3 * MINUTE,
    entries: [
      { title: 'High water', url: 'https://tides.example/1', agoMs: 5 * MINUTE },
      { title: '<img src=x onerror=alert(1)>', url: 'javascript:alert(1)', agoMs: 2 * HOUR },
    ],
  })
  await stage.addFeed({
    url: `https://bread.example/${'a-long-path-without-a-break'.repeat(8)}/atom.xml`,
    title: 'Bread '.repeat(30),
    trouble: { kind: 'http', status: 503 },
    failures: 3,
    entries: [{ title: `Rye${'rye'.repeat(60)}`, url: 'https://bread.example/rye', agoMs: 3 * DAY }],
  })
  await stage.index()
  return stage
}

const titles = (page: Page) => page.locator('.entry-title').allTextContents()

describe.skipIf(!browser)(name, () => {
  test('plays an episode of a podcast, and asks its publisher for nothing before', async () => {
    const burrow = { name: 'burrow', voice: 'podcast', rhythm: { kind: 'daily', hour: 6 } } as const
    const stage = createStage()
    const village = createVillage({ clock: stage.clock, sites: [burrow] })
    const listening = await village.listen()
    toClose.push(listening.close)
    const site = village.site('burrow')
    const post = site.published(NOW - 3 * DAY, NOW).at(-1)!
    const url = address(new URL(mediaPath(post, 'wav'), site.home).href)
    const media = [{ url, kind: 'audio' as const, type: 'audio/wav' }]
    await stage.addFeed({
      url: 'https://burrow.example/feed',
      title: 'Burrow',
      entries: [{ title: 'Moles', agoMs: HOUR, media }],
    })
    const { page, complaints } = await openPage(stage)
    const wasAsked = () => village.requests.some((request) => request.url === url)
    expect(wasAsked()).toBe(false)
    await page.getByRole('button', { name: 'Listen' }).press('Enter')
    await page.locator('audio').waitFor()
    // Asked from outside: a function that waits in the page is evaluated there, which the page's policy may refuse.
    const heardSeconds = () => page.evaluate<number>("document.querySelector('audio').currentTime")
    await expect.poll(heardSeconds, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await page.evaluate("document.querySelector('audio').duration")).toBe(2)
    expect(wasAsked()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('asks who has an account to log in, by keyboard, and lets him out again', async () => {
    const stage = await filledStage()
    await createAccounts({ people: stage.store, clock: stage.clock }).add('ada', 'correct horse battery')
    const server = await stage.listen(0)
    toClose.push(server.close)
    const page = await browser!.newPage()
    toClose.push(() => page.close())
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await page.locator('main').isVisible()).toBe(false)
    expect(await page.locator('.entry').count()).toBe(0)
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Name and password do not belong together').waitFor()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.locator('.entry').first().waitFor()
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.reload()
    await page.locator('.entry').first().waitFor()
    expect(await page.locator('#who').textContent()).toBe('ada')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect((await page.context().cookies()).length).toBe(0)
  })

  test('shows the entries as text, newest first, and how the feeds are doing', async () => {
    const { page, complaints } = await openPage(await filledStage())
    expect(await titles(page)).toEqual(['High water', '<img src=x onerror=alert(1)>', `Rye${'rye'.repeat(60)}`])
    expect(await page.locator('.entry').first().textContent()).toMatch(/5 min ago/)
    expect(await page.locator('.entry-title').first().getAttribute('rel')).toBe('noopener noreferrer')
    expect(await page.locator('.entry-title').nth(1).getAttribute('href')).toBeNull()
    expect(await page.locator('#state').textContent()).toBe('2 feeds · 3 entries · 3 polls · at rest')
    expect(await page.locator('#next').textContent()).toMatch(/Tidesin [23]:\d\d/)
    expect(await page.locator('.feed').nth(1).textContent()).toContain(
      'The server answered 503 (service unavailable) (3 times in a row)',
    )
    expect(await page.locator('#welcome').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('says what to do when there is nothing yet', async () => {
    const { page, complaints } = await openPage()
    expect(await page.locator('#welcome').textContent()).toContain('freshet add https://example.org')
    expect(await page.locator('#feeds-section').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('an address is added by keyboard, and the answer stays true', async () => {
    const { page, store, findFeed, complaints } = await openPage(await filledStage())
    while (!(await page.evaluate('document.activeElement.id === "address"'))) await page.keyboard.press('Tab')
    await page.keyboard.type('https://gulls.example not-an-address')
    await page.keyboard.press('Enter')
    const answer = page.locator('#answer')
    await answer.getByText('Looking for the feed of gulls.example …').waitFor()
    expect(await answer.textContent()).toContain('not-an-address was not added: it is no address of the web')
    expect(await page.locator('#address').inputValue()).toBe('')
    await page.locator('#looking').getByText('gulls.example').waitFor()

    const [source] = await store.sources({ limit: 1 })
    await store.sourceFailed(source!.id, { kind: 'no-feed-found' }, source!.dueAt + HOUR)
    await page.getByRole('button', { name: 'Poll now: Tides' }).click() // asks again at once
    await answer.getByText('gulls.example: no feed was found there').waitFor()
    expect(await page.locator('#looking').textContent()).toContain('No feed was found there.')

    await findFeed(source!.id, 'https://gulls.example/feed', 'Gulls')
    await answer.getByText('Found the feed of gulls.example: Gulls.').waitFor()
    expect(complaints).toEqual([])
  })

  test('what came of an address is told, however many others were added before', async () => {
    const stage = await filledStage()
    const { store, findFeed } = stage
    const others = Array.from({ length: 1100 }, (_, i) => `https://s${i}.example/`)
    const before = await store.addSources(
      others.map((url) => ({ url: address(url), root: new URL(url).hostname, addedAt: 0, dueAt: 0 })),
    )
    for (const { id } of before) await findFeed(id, `https://s${id}.example/feed`, `S${id}`)
    const { page, complaints } = await openPage(stage)
    await page.locator('#address').fill('https://gulls.example')
    await page.keyboard.press('Enter')
    const answer = page.locator('#answer')
    await answer.getByText('Looking for the feed of gulls.example …').waitFor()
    const [source] = await store.sources({ state: 'looking', limit: 1 })
    await findFeed(source!.id, 'https://gulls.example/feed', 'Gulls')
    await answer.getByText('Found the feed of gulls.example: Gulls.').waitFor()
    expect(complaints).toEqual([])
  })

  test('an OPML file is added', async () => {
    const { page, store } = await openPage()
    const buffer = Buffer.from(
      '<opml><body><outline text="Gulls" xmlUrl="https://gulls.example/rss"/><outline xmlUrl="no"/></body></opml>',
    )
    await page.locator('#opml-file').setInputFiles({ name: 'feeds.opml', mimeType: 'text/xml', buffer })
    await page.locator('#feeds').getByText('Gulls', { exact: true }).waitFor()
    expect(await page.locator('#answer').textContent()).toContain('1 feed was added')
    expect((await store.counts()).feeds.active).toBe(1)
  })

  test('/ goes to the search, which finds as one types', async () => {
    const { page } = await openPage(await filledStage())
    await page.keyboard.press('/')
    await page.keyboard.type('high')
    await page.getByRole('heading', { name: 'Entries found' }).waitFor()
    expect(await titles(page)).toEqual(['High water'])
    await page.keyboard.type('er')
    await page.getByText('No entry holds these words.').waitFor()
    await page.locator('#search').fill('')
    await page.getByRole('heading', { name: 'Latest entries' }).waitFor()
    expect(await titles(page)).toHaveLength(3)
  })

  test('what is new appears by itself and takes neither the focus nor what is being typed', async () => {
    const { page, addFeed } = await openPage(await filledStage())
    await page.locator('#address').pressSequentially('half an addr')
    const row = await page.locator('.entry').first().elementHandle()
    await addFeed({ url: 'https://gulls.example/', title: 'Gulls', entries: [{ title: 'Chips', agoMs: MINUTE }] })
    await page.getByText('Chips').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('address')
    expect(await page.locator('#address').inputValue()).toBe('half an addr')
    expect(await row?.isVisible()).toBe(true)
    expect(await row?.textContent()).toContain('High water')
  })

  test('a feed is paused, resumed and, once confirmed, removed', async () => {
    const { page, store } = await openPage(await filledStage())
    await page.getByRole('button', { name: 'Pause: Tides' }).press('Enter')
    await page.getByRole('button', { name: 'Resume: Tides' }).press('Enter')
    await page.getByRole('button', { name: 'Pause: Tides' }).waitFor()

    const remove = page.getByRole('button', { name: 'Remove: Tides' })
    const asking = page.locator('dialog[open]')
    await remove.press('Enter')
    await asking.waitFor()
    await page.keyboard.press('Escape')
    await asking.waitFor({ state: 'detached' })
    expect((await store.counts()).feeds.active).toBe(2)
    await remove.press('Enter')
    await asking.waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await remove.waitFor({ state: 'detached' })
    expect((await store.counts()).feeds.active).toBe(1)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Remove')
  })

  test.each([360, 640, 820])('nothing is wider than a window of %i pixels', async (width) => {
    const { page } = await openPage(await filledStage(), width)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })

  test('says so when the server is gone', async () => {
    const { page, close } = await openPage(await filledStage())
    await close()
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))') // looks again at once
    await page.getByText('The server does not answer. Trying again …').waitFor()
    expect(await titles(page)).toHaveLength(3)
  })
})
