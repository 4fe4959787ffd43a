/** Every view, wide and narrow, light and dark: no accessibility violations, nothing cut off, no console errors. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPageFolder } from '../../src/app/page-folder.ts'
import { createGrouper, DEFAULT_GROUPING } from '../../src/crawl/index.ts'
import { DAY, HOUR, MINUTE } from '../../src/model/index.ts'
import type { SeenMember } from '../../src/ports/index.ts'
import { createAccounts } from '../../src/server/index.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the views (skipped: ${opened.missing})` : 'the views'

const LEAD = 'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel.'
let url: string
let lockedUrl: string
const toClose: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  if (!browser) return
  const seen = { version: '0.1.0', startedAt: NOW - HOUR, seenAt: NOW, aheadMs: 0 }
  const fleetMembers = (): SeenMember[] => [
    {
      role: 'controller',
      name: 'c1',
      ...seen,
      buckets: 256,
      quarantined: [{ name: 't1', reason: 'nonsense', until: NOW + HOUR }],
    },
    {
      role: 'fetcher',
      name: 't1'.repeat(40),
      ...seen,
      aheadMs: HOUR,
      slots: 16,
      activeTasks: 3,
      completedTasks: 99,
      region: 'north',
    },
  ]
  const stage = createServerFixture({ fleetMembers })
  const unbroken = 'a-long-path-without-a-break'.repeat(8)
  await stage.addFeed({
    url: 'https://wire.example/feed',
    title: 'The Wire',
    folder: 'News',
    entries: [
      {
        title: 'Council approves tram line',
        url: 'https://wire.example/tram',
        agoMs: 28 * HOUR,
        summary: `<p>${LEAD}</p><pre>${'x'.repeat(300)}</pre>`,
      },
      { title: `Rye${'rye'.repeat(60)}`, url: 'https://wire.example/rye', agoMs: 3 * DAY },
    ],
  })
  await stage.addFeed({
    url: `https://mirror.example/${unbroken}/atom.xml`,
    title: 'Mirror '.repeat(30),
    trouble: { kind: 'http', status: 503 },
    failures: 3,
    entries: [
      {
        title: 'Council approves tram line',
        url: 'https://mirror.example/tram',
        agoMs: 27 * HOUR,
        summary: `<p>${LEAD} Again.</p>`,
      },
    ],
  })
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [{ title: 'High water', agoMs: 5 * MINUTE }],
  })
  const feeds = await stage.store.feeds({ order: 'id', limit: 9 })
  for (const { feed } of feeds) await stage.store.changeFeed(feed.id, {}, { strategy: 'fixed:1h' })
  await stage.pollBy('adva-rss', feeds.at(-1)!.feed.id, 30)
  await stage.index()
  const grouper = createGrouper({ pendingWork: stage.store, clock: stage.clock, emit: () => {}, ...DEFAULT_GROUPING })
  while (await grouper.groupChunk());
  const server = await stage.listen(0)
  url = server.url
  const locked = createServerFixture()
  await createAccounts({ users: locked.store, clock: locked.clock }).add('ada', 'correct horse battery')
  const loginServer = await locked.listen(0)
  lockedUrl = loginServer.url
  toClose.push(server.close, loginServer.close)
})
afterAll(async () => {
  await browser?.close()
  for (const close of toClose) await close()
})

const VIEWS: [view: string, path: string, shows: string][] = [
  ['all news', '/read/all', '.entry'],
  ['an article with its copies', '/read/feed/1?e=1', '.prose'],
  ['a search', '/read/search?q=tram', '.entry'],
  ['an empty list', '/read/starred', '.nothing'],
  ['nothing to continue', '/read/listening', '.nothing'],
  ['for you', '/read/for-you', '.entry .why'],
  ['the morning page', '/morning', '.paper .end, .paper .nothing'],
  ['a site', '/site/wire.example', '.feeds .card'],
  ['adding', '/add', '.drop'],
  ['the table of feeds', '/subscriptions', 'tbody tr[aria-rowindex]'],
  ['feeds in trouble', '/subscriptions/trouble', 'article'],
  ['silent feeds', '/subscriptions/silent', '.notice, article'],
  ['suggestions', '/subscriptions/suggestions', '.notice, .card'],
  ['the welcome', '/welcome', '.topics'],
  ['the overview', '/dashboard', '.tiles'],
  ['the feeds', '/dashboard/feeds', 'tbody tr'],
  ['a feed', '/dashboard/feeds/2', '.facts'],
  ['a feed that is polled in rounds', '/dashboard/feeds/3', '[aria-labelledby=rounds] canvas'],
  ['hosts', '/dashboard/hosts', '.card, tbody'],
  ['stories', '/dashboard/stories', '.size'],
  ['goals', '/dashboard/goals', '#wanted'],
  ['the lab', '/dashboard/lab', 'form'],
  ['what was learned', '/dashboard/for-you', '#learning'],
  ['settings', '/dashboard/settings', '.setting'],
  ['users', '/dashboard/users', 'form'],
  ['integrations', '/dashboard/integrations', 'form'],
  ['rules', '/dashboard/rules', 'section'],
  ['the fleet', '/dashboard/fleet', 'tbody tr'],
]

describe.skipIf(!browser)(name, () => {
  test.each(VIEWS)('%s is accessible, light and dark, and never wider than the window', async (_, path, shows) => {
    for (const isDark of [false, true]) {
      const { page, complaints, close } = await openPage(browser!, url + path, { isDark, isUnguarded: true })
      await page.locator(shows).first().waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      for (const width of [1024, 820, 640, 360, 390]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      if (isDark) expect(await accessibilityViolations(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    }
  })

  test.each([
    ['/read/all', 'All news · Freshet'],
    ['/read/feed/1?e=1', 'Council approves tram line · Freshet'],
    ['/read/search?q=tram', 'tram · Freshet'],
    ['/read/for-you', 'For you · Freshet'],
    ['/morning', 'This morning · Freshet'],
    ['/site/wire.example', 'wire.example · Freshet'],
    ['/subscriptions', 'Your feeds · Freshet'],
    ['/subscriptions/silent', 'Silent · Freshet'],
    ['/dashboard/goals', 'Budget and goals · Freshet'],
  ])('%s is called %s in the tab and the history', async (path, title) => {
    const { page, close } = await openPage(browser!, url + path)
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe(title)
    await close()
  })

  test('works in a browser with an invalid language name', async () => {
    const context = await browser!.newContext()
    await context.addInitScript(
      "Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix', configurable: true })",
    )
    const page = await context.newPage()
    const mistakes: string[] = []
    page.on('pageerror', (error) => mistakes.push(error.message))
    await page.goto(`${url}/read/all`)
    await page.locator('.entry').first().waitFor()
    await page.goto(`${url}/dashboard`)
    await page.locator('.charts canvas').first().waitFor()
    expect(mistakes).toEqual([])
    await context.close()
  })

  test('the login form, the shortcut list and high contrast, too', async () => {
    const login = await openPage(browser!, lockedUrl, { isUnguarded: true })
    await login.page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await accessibilityViolations(login.page)).toEqual([])
    await login.close()
    const { page, close } = await openPage(browser!, `${url}/read/all`, { isUnguarded: true })
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: /^Appearance/ }).click()
    await page.getByRole('button', { name: 'Appearance: high contrast' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await close()
  })

  test('the first view needs less than 150 KB of compressed script', async () => {
    const folder = await createPageFolder()()
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    const scripts = [...html.matchAll(/assets\/[\w.-]+\.js/g)].map(([file]) => file)
    expect(scripts.length).toBeGreaterThan(0)
    const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
    expect(bytes).toBeLessThan(150_000)
    expect(readdirSync(join(folder, 'assets')).length).toBeGreaterThan(10) // the other views are separate files
  })
})
