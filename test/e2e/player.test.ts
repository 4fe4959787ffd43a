/** The player of the page: plays across views, with chapters, a queue, positions on the server, keys and video, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '../../src/lab/village/history.ts'
import { mediaReply } from '../../src/lab/village/media.ts'
import { rangeReply } from '../../src/lab/village/reply.ts'
import { address } from '../../src/model/address.fixture.ts'
import { HOUR, MINUTE } from '../../src/model/index.ts'
import type { Net } from '../../src/ports/index.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage, type PageOptions } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the player (skipped: ${opened.missing})` : 'the player'
const PATIENTLY = { timeout: 20_000 }
const SECONDS = 60

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** The publisher: serves a tone of a minute at every address, with ranges. */
let publisher: string
let requested: string[] = []
const host = createServer((request, response) => {
  requested.push(request.url ?? '')
  const post = { path: '/talk', title: 'Talk', author: 'Ada', paragraphs: ['One.', 'Two.', 'Three.'] } as Post
  const headers = { range: request.headers.range ?? '' }
  const reply = rangeReply(mediaReply(post, 'wav', false), { method: 'GET', url: '', headers })
  response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length }).end(reply.body)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  publisher = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
afterAll(async () => {
  host.close()
  await browser?.close()
})

const CHAPTERS = ['Opening', 'The tides', 'The moon'].map((title, i) => ({ startTime: 20 * i, title }))

/** Chapters, and with --proxy-media the recordings of the publisher. */
const net: Net = {
  async get(request) {
    const about = { ok: true as const, url: address(request.url), redirects: [], wireBytes: 0 }
    if (request.url.endsWith('.json')) {
      const body = new TextEncoder().encode(JSON.stringify({ chapters: CHAPTERS }))
      return { ...about, status: 200, headers: { 'content-type': 'application/json+chapters' }, body }
    }
    const response = await fetch(request.url, { headers: request.headers ?? {} })
    const body = new Uint8Array(await response.arrayBuffer())
    return { ...about, status: response.status, headers: Object.fromEntries(response.headers), body }
  },
  post: () => Promise.reject(new Error('nothing is posted')),
  close: async () => {},
}

async function filledStage(changes: { proxyMedia?: boolean } = {}) {
  const stage = createServerFixture({ net, ...changes })
  const talk = (title: string, kind: 'audio' | 'video', agoMs: number) => ({
    title,
    agoMs,
    url: `https://talks.example/${encodeURIComponent(title)}`,
    content: `<p>About ${title}.</p><p>0:00 Hello<br>0:30 The second half</p>`,
    media: [{ url: address(`${publisher}/${encodeURIComponent(title)}.wav`), kind, durationMs: SECONDS * 1000 }],
    ...(title === 'Tides' && { podcast: { chaptersUrl: address('https://talks.example/chapters.json') } }),
  })
  await stage.addFeed({
    url: 'https://talks.example/feed',
    title: 'Talks',
    entries: [talk('Tides', 'audio', HOUR), talk('Harbors', 'audio', 2 * HOUR), talk('Film', 'video', 3 * HOUR)],
  })
  await stage.addFeed({
    url: 'https://news.example/feed',
    title: 'News',
    entries: [{ title: 'Nothing to hear', agoMs: 5 * MINUTE, summary: '<p>At 12:30 nothing happened.</p>' }],
  })
  return stage
}

type Stage = Awaited<ReturnType<typeof filledStage>>

async function open(stage: Stage, path: string, options: PageOptions = {}) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, options)
  toClose.push(shown.close)
  await shown.page.locator('.entry').first().waitFor()
  return { ...shown, url: server.url }
}

async function idOf(stage: Stage, title: string): Promise<number> {
  const { entries } = await stage.store.listEntries({ limit: 9 })
  return entries.find((entry) => entry.title === title)!.id
}

const article = (page: Page) => page.getByRole('region', { name: 'Article' })
const bar = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })
const slider = (page: Page) => bar(page).getByRole('slider', { name: 'Position' })
const position = async (page: Page) => Number(await slider(page).inputValue())
const isPlaying = (page: Page) => bar(page).getByRole('button', { name: 'Pause', exact: true }).isVisible()
const savedOf = async (stage: Stage) => stage.store.userValues(await stage.store.firstUser(), 'playback', { limit: 9 })

async function openEntry(page: Page, title: string): Promise<void> {
  await page.locator('.entry', { hasText: title }).locator('.to').first().click()
  await article(page).getByRole('heading', { name: title }).waitFor()
}

async function listenTo(page: Page, title: string): Promise<void> {
  await openEntry(page, title)
  await article(page)
    .getByRole('button', { name: /^(Listen|Watch)$/ })
    .click()
  await expect.poll(() => isPlaying(page), PATIENTLY).toBe(true)
}

describe.skipIf(!browser)(name, () => {
  test('plays across views, and asks the publisher for nothing before', async () => {
    requested = []
    const stage = await filledStage()
    const { page, complaints } = await open(stage, '/read/all')
    await openEntry(page, 'Tides')
    await article(page).getByRole('button', { name: 'Listen' }).waitFor()
    expect(requested).toEqual([])
    await article(page).getByRole('button', { name: 'Listen' }).click()
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThan(0)
    for (const path of ['/dashboard', '/morning']) {
      await page.locator(`nav a[href="${path}"]`).click()
      const before = await position(page)
      await expect.poll(() => position(page), PATIENTLY).toBeGreaterThan(before)
    }
    await bar(page).getByRole('link', { name: 'Tides' }).click()
    await article(page).getByRole('heading', { name: 'Tides' }).waitFor()
    await bar(page).getByRole('button', { name: 'Close the player' }).click()
    await expect.poll(() => bar(page).count(), PATIENTLY).toBe(0)
    expect(complaints).toEqual([])
  })

  test('saves the position, resumes there, shows it in lists, and continues from the list', async () => {
    const stage = await filledStage()
    const { page, url } = await open(stage, '/read/all')
    await listenTo(page, 'Tides')
    await page.keyboard.press('.')
    await page.keyboard.press('x')
    await expect.poll(async () => (await savedOf(stage)).length, PATIENTLY).toBe(1)
    const [saved] = await savedOf(stage)
    const { positionSeconds } = saved!.value as { positionSeconds: number }
    expect(positionSeconds).toBeGreaterThanOrEqual(30)
    const row = page.locator('.entry', { hasText: 'Tides' })
    await row.getByText(/\d+ secs? left/).waitFor()

    const other = await openPage(browser!, `${url}/read/all`)
    toClose.push(other.close)
    await other.page.getByRole('link', { name: 'Continue listening' }).click()
    await expect.poll(() => other.page.locator('.entry').count(), PATIENTLY).toBe(1)
    await listenTo(other.page, 'Tides')
    await expect.poll(() => position(other.page), PATIENTLY).toBeGreaterThanOrEqual(Math.floor(positionSeconds))
    expect(await position(other.page)).toBeLessThan(positionSeconds + 10)
    // To the end: it is played, and leaves the list.
    await slider(other.page).fill('59')
    await other.page.locator('.entry', { hasText: 'Tides' }).getByText('Played').waitFor()
    await other.page.goto(`${url}/read/listening`)
    await other.page.getByText('Nothing to continue.').waitFor()
  })

  test('saves the position when the page is closed, and lets the user mark a recording as played', async () => {
    const stage = await filledStage()
    const { page, url } = await open(stage, '/read/all')
    await listenTo(page, 'Harbors')
    await slider(page).fill('40')
    await page.goto('about:blank')
    await expect
      .poll(async () => (await savedOf(stage)).map(({ value }) => value as { positionSeconds: number }), PATIENTLY)
      .toMatchObject([{ positionSeconds: expect.toSatisfy((seconds: number) => seconds >= 40) }])
    await page.goto(`${url}/read/all`)
    await openEntry(page, 'Harbors')
    await article(page).getByRole('button', { name: 'Mark as played' }).click()
    await page.locator('.entry', { hasText: 'Harbors' }).getByText('Played').waitFor()
  })

  test('has chapters of the feed or the show notes, and plays from times in the text', async () => {
    const { page } = await open(await filledStage(), '/read/all')
    await openEntry(page, 'Tides')
    await article(page)
      .getByRole('button', { name: /The tides$/ })
      .click()
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThanOrEqual(20)
    const current = article(page).locator('[aria-current=true]')
    await expect.poll(() => current.textContent(), PATIENTLY).toContain('The tides')
    await page.keyboard.press(']')
    await expect.poll(() => current.textContent(), PATIENTLY).toContain('The moon')
    await page.keyboard.press('[')
    await page.keyboard.press('[')
    await expect.poll(() => current.textContent(), PATIENTLY).not.toContain('The moon')
    await article(page).getByRole('button', { name: 'Play from 0:30' }).click()
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThanOrEqual(30)
    await openEntry(page, 'Harbors')
    await article(page)
      .getByRole('button', { name: /The second half$/ })
      .click()
    await bar(page).getByRole('link', { name: 'Harbors' }).waitFor()
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThanOrEqual(30)
    await openEntry(page, 'Nothing to hear')
    expect(
      await article(page)
        .getByRole('button', { name: /^Play from/ })
        .count(),
    ).toBe(0)
  })

  test('plays the queue, and remembers the speed', async () => {
    const { page } = await open(await filledStage(), '/read/all')
    await listenTo(page, 'Tides')
    await openEntry(page, 'Film')
    await page.keyboard.press('q')
    await openEntry(page, 'Harbors')
    await article(page).getByRole('button', { name: 'Play next' }).click()
    await page.keyboard.press('>')
    await bar(page)
      .getByRole('button', { name: /Speed, chapters and queue/ })
      .click()
    expect(await bar(page).locator('.queue .title').allTextContents()).toEqual(['HarborsTalks', 'FilmTalks'])
    await page.keyboard.press('Escape')
    await expect.poll(() => bar(page).locator('.queue').count(), PATIENTLY).toBe(0)
    await article(page).getByRole('heading', { name: 'Harbors' }).waitFor() // Escape closed the panel only
    await slider(page).fill('59')
    await bar(page).getByRole('link', { name: 'Harbors' }).waitFor()
    await expect.poll(() => isPlaying(page), PATIENTLY).toBe(true)
    await page.reload()
    await listenTo(page, 'Tides')
    await bar(page).getByText('1.1×').waitFor()
  })

  test('shows a video in its article, and in a pane when the article is left, without pausing it', async () => {
    const { page } = await open(await filledStage(), '/read/all')
    await listenTo(page, 'Film')
    await article(page).locator('video').waitFor()
    const before = await position(page)
    await openEntry(page, 'Harbors')
    await bar(page).locator('.screen video').waitFor()
    expect(await article(page).locator('video').count()).toBe(0)
    expect(await isPlaying(page)).toBe(true)
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThan(before)
    await openEntry(page, 'Film')
    await article(page).locator('video').waitFor()
    expect(await isPlaying(page)).toBe(true)
  })

  test('tells the browser what plays, for media keys and the lock screen', async () => {
    const { page } = await open(await filledStage(), '/read/all', { isUnguarded: true })
    await listenTo(page, 'Tides')
    const mediaSessionState =
      'JSON.stringify([navigator.mediaSession.metadata?.album, navigator.mediaSession.playbackState])'
    await expect.poll(() => page.evaluate(mediaSessionState), PATIENTLY).toBe('["Tides","playing"]')
    await page.keyboard.press('x')
    await expect.poll(() => page.evaluate(mediaSessionState), PATIENTLY).toBe('["Tides","paused"]')
  })

  test('with --proxy-media asks only our server', async () => {
    const { page, complaints } = await open(await filledStage({ proxyMedia: true }), '/read/all')
    const foreign: string[] = []
    page.on('request', (request) => request.url().startsWith(publisher) && foreign.push(request.url()))
    await listenTo(page, 'Harbors')
    await slider(page).fill('30')
    await expect.poll(() => position(page), PATIENTLY).toBeGreaterThan(30)
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
  })

  test('says when a recording cannot be played', async () => {
    const stage = await filledStage()
    const { page } = await open(stage, '/read/all')
    await page.route(`${publisher}/**`, (route) => route.fulfill({ status: 404 }))
    await openEntry(page, 'Tides')
    await article(page).getByRole('button', { name: 'Listen' }).click()
    await bar(page).getByText('This recording couldn’t be played.').waitFor()
  })

  test('is accessible and never wider than the window, light and dark, with and without its panel', async () => {
    for (const isDark of [false, true]) {
      const stage = await filledStage()
      const { page, complaints } = await open(stage, '/read/all', { isUnguarded: true, isDark })
      await listenTo(page, 'Tides')
      await page.keyboard.press('q')
      await article(page).locator('[aria-current=true]').waitFor()
      for (const width of [1280, 900, 640, 390, 360]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await accessibilityViolations(page)).toEqual([])
      }
      await bar(page)
        .getByRole('button', { name: /Speed, chapters and queue/ })
        .click()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.goto(new URL(`/read/listening?e=${await idOf(stage, 'Film')}`, page.url()).href)
      await article(page).getByRole('button', { name: 'Watch' }).click()
      await article(page).locator('video').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })
})
