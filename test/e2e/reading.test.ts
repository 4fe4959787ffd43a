/** Reading in a real browser, against a real server with a store filled by hand. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ATTACKS } from '../../src/articles/safe/attacks.fixture.ts'
import { createGrouper, DEFAULT_GROUPING } from '../../src/crawl/index.ts'
import { createVillage } from '../../src/lab/index.ts'
import { mediaPath } from '../../src/lab/village/media.ts'
import { address } from '../../src/model/address.fixture.ts'
import { DAY, type FeedId, HOUR, MINUTE } from '../../src/model/index.ts'
import { articleOf, readArticle, want } from '../../src/ports/article-samples.contract.ts'
import { createAccounts } from '../../src/server/index.ts'
import { freePort } from '../../tools/free-port.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { openPage, type PageOptions } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `reading (skipped: ${opened.missing})` : 'reading'

const toClose: (() => Promise<unknown>)[] = []
/** Timeouts for a machine that runs ten other processes. */
const PATIENTLY = { timeout: 30_000 }
const ROW_HEIGHT = 112

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'

type Stage = ReturnType<typeof createServerFixture>

async function open(stage: Stage, path = '/', options: PageOptions = {}) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, options)
  toClose.push(shown.close)
  return { ...shown, ...server }
}

async function filledStage(): Promise<Stage> {
  const stage = createServerFixture()
  await stage.addFeed({
    url: 'https://wire.example/feed',
    title: 'The Wire',
    folder: 'News',
    entries: [
      { title: 'Council approves tram line', url: 'https://wire.example/tram', agoMs: 5 * HOUR, summary: LEAD },
      {
        title: 'Goose found in bakery',
        url: 'https://wire.example/goose',
        agoMs: 2 * HOUR,
        summary: '<p>It was warm.</p>',
      },
    ],
  })
  await stage.addFeed({
    url: 'https://mirror.example/feed',
    title: 'The Mirror',
    folder: 'News',
    entries: [
      {
        title: 'Council approves tram line',
        url: 'https://mirror.example/tram',
        agoMs: 3 * HOUR,
        summary: `<p>${LEAD.replace('nine', 'ten')}</p>`,
      },
    ],
  })
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [
      { title: 'High water', url: 'https://tides.example/1', agoMs: 5 * MINUTE },
      { title: '<img src=x onerror=alert(1)>', url: 'javascript:alert(1)', agoMs: 6 * HOUR },
    ],
  })
  await stage.index()
  await place(stage)
  return stage
}

async function place({ store, clock }: Stage): Promise<void> {
  const grouper = createGrouper({ pendingWork: store, clock, emit: () => {}, ...DEFAULT_GROUPING })
  while (await grouper.groupChunk());
}

/** Sends the events of a poll to the page. */
async function arrive(stage: Stage, title: string, url: string): Promise<void> {
  const feedId = await stage.addFeed({ url, title: `Feed of ${title}`, entries: [{ title, agoMs: MINUTE }] })
  tellOf(stage, feedId)
}

function tellOf(stage: Stage, feedId: FeedId): void {
  const result = { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false } as const
  stage.emit({ kind: 'polled', feedId, title: '', at: NOW, tookMs: 1, bytes: 1, result, dueAt: NOW } as never)
}

const titles = (page: Page) => page.locator('.entry .title').allTextContents()
const article = (page: Page) => page.getByRole('region', { name: 'Article' })

describe.skipIf(!browser)(name, () => {
  test('shows each story once, newest first, and titles as text', async () => {
    const { page, complaints } = await open(await filledStage())
    await page.locator('.entry').first().waitFor()
    expect(await titles(page)).toEqual([
      'High water',
      'Goose found in bakery',
      'Council approves tram line',
      '<img src=x onerror=alert(1)>',
    ])
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByLabel('Each story once').uncheck()
    await page.locator('.entry').nth(4).waitFor()
    expect(await titles(page)).toHaveLength(5)
    expect(complaints).toEqual([])
  })

  test('a story opens its copies: who published first, who repeated it, and with which changes', async () => {
    const { page, complaints } = await open(await filledStage())
    await page.getByRole('link', { name: 'Council approves tram line' }).click()
    const lineage = page.getByRole('region', { name: /copies of this text/ })
    await lineage.waitFor()
    expect(await lineage.locator('li').first().textContent()).toMatch(/The Wire.*published first/s)
    expect(await lineage.locator('li').nth(1).textContent()).toMatch(/The Mirror.*later.*copy/s)
    await lineage.getByRole('button', { name: 'Show changed words' }).click()
    await lineage.locator('del').waitFor()
    expect(await lineage.locator('del').textContent()).toContain('nine')
    expect(await lineage.locator('ins').textContent()).toContain('ten')
    expect(complaints).toEqual([])
  })

  test('works with the keyboard alone', async () => {
    const { page, complaints } = await open(await filledStage())
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('j')
    await article(page).getByRole('heading', { name: 'High water' }).waitFor()
    await page.keyboard.press('j')
    await article(page).getByText('It was warm.').waitFor()
    await page.keyboard.press('k')
    await article(page).getByRole('heading', { name: 'High water' }).waitFor()
    await page.keyboard.press('s')
    await article(page).getByRole('button', { name: 'Star', pressed: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Select an entry to read.').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('o')
    await article(page).getByText('It was warm.').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    await page.getByRole('link', { name: 'High water' }).waitFor()
    expect(await titles(page)).toEqual(['High water'])
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('mark everything loaded as read').waitFor()
    for (const key of ['j', 'k', 'n', 'p', 'o', 'm', 's', 'v', '/', '?'])
      await list.getByText(key, { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('goose')
    await page.getByRole('link', { name: 'Goose found in bakery' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('opened entries are marked as read, and every change can be undone', async () => {
    const stage = await filledStage()
    const { page } = await open(stage)
    const unread = page.getByRole('link', { name: /^Unread/ })
    await unread.getByText('5').waitFor()
    await page.getByRole('link', { name: 'Goose found in bakery' }).click()
    await unread.getByText('4').waitFor()
    await page.keyboard.press('m')
    await unread.getByText('5').waitFor()
    await page.keyboard.press('Shift+A')
    await page
      .getByRole('status')
      .getByText(/marked as read/)
      .waitFor()
    await unread.getByText(/\d/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await unread.getByText('5').waitFor()
    const first = await stage.store.firstUser()
    expect((await stage.store.readerCounts(first)).unread).toBe(5)
  })

  test('two users have separate read and starred state', async () => {
    const stage = await filledStage()
    const accounts = createAccounts({ users: stage.store, clock: stage.clock })
    await accounts.add('ada', 'correct horse battery')
    await accounts.add('bob', 'another horse battery')
    const server = await stage.listen(0)
    toClose.push(server.close)
    async function enter(who: string, password: string) {
      const shown = await openPage(browser!, server.url)
      toClose.push(shown.close)
      const { page } = shown
      await page.getByLabel('Name').fill(who)
      await page.getByLabel('Password').fill('a wrong horse battery')
      await page.keyboard.press('Enter')
      await page.getByText('Wrong user name or password').waitFor()
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Sections' }).waitFor()
      return page
    }
    const ada = await enter('ada', 'correct horse battery')
    await ada.getByRole('link', { name: 'Goose found in bakery' }).click()
    await ada
      .getByRole('link', { name: /^Unread/ })
      .getByText('4')
      .waitFor()
    const bob = await enter('bob', 'another horse battery')
    await bob.getByRole('heading', { name: 'News, early and once.' }).waitFor()
    const body = JSON.stringify({ addresses: [{ url: 'https://wire.example/feed', kind: 'feed' }] })
    const status = await bob.evaluate(
      async (sent) =>
        (
          await fetch('/api/v1/feeds', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: sent,
          })
        ).status,
      body,
    )
    expect(status).toBe(200)
    await bob.reload()
    await bob
      .getByRole('link', { name: /^Unread/ })
      .getByText('2')
      .waitFor()
    await ada.reload()
    await ada
      .getByRole('link', { name: /^Unread/ })
      .getByText('4')
      .waitFor()
    expect(await ada.evaluate('document.cookie')).toBe('')
    await ada.getByRole('button', { name: 'Log out' }).click()
    await ada.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await ada.locator('.entry').count()).toBe(0)
  })

  test('searches while typing, suggests words and operators, and saves searches', async () => {
    const { page, complaints } = await open(await filledStage())
    const box = page.getByRole('combobox', { name: 'Search' })
    await box.click()
    await page.getByRole('option', { name: /category:/ }).waitFor()
    await box.pressSequentially('hig')
    await page.locator('.entry mark').getByText('High').waitFor()
    expect(await titles(page)).toEqual(['High water'])
    await page.getByRole('option', { name: 'High', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await box.inputValue()).toBe('High ')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await box.fill('waters')
    await page.keyboard.press('Enter')
    await page.getByText('1 result', { exact: true }).waitFor()
    expect(await titles(page)).toEqual(['High water'])
    await box.fill('autor:x')
    await page.getByRole('alert').getByText('did you mean author:?').waitFor()
    await box.fill('')
    await page.getByRole('option', { name: 'waters recent' }).click()
    await page.getByText('1 result', { exact: true }).waitFor()
    await box.fill('')
    await page.getByRole('option', { name: 'Clear recent searches' }).click()
    await page.getByRole('option', { name: 'waters recent' }).waitFor({ state: 'detached' })
    await box.fill('fol')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /News/ }).click()
    await box.pressSequentially('tram')
    await page.getByRole('link', { name: /Council approves tram line/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 results, 1 grouped into stories').waitFor()
    expect(await titles(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('2 results', { exact: true }).waitFor()
    expect(await titles(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Save this search' }).click()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'folder:News tram' }).waitFor()
    await box.fill('nothingatallofthekind')
    await page.getByText('No results.').waitFor()
    expect(complaints).toEqual([])
  })

  test('new entries wait above the list without moving focus or rows; the position survives reload and back', async () => {
    const stage = createServerFixture()
    const entries = Array.from({ length: 400 }, (_, i) => ({ title: `Entry ${i}`, agoMs: (i + 2) * MINUTE }))
    await stage.addFeed({ url: 'https://many.example/feed', title: 'Many', entries })
    const { page, complaints } = await open(stage)
    await page.getByRole('link', { name: 'Entry 0', exact: true }).waitFor()
    const list = page.getByRole('region', { name: 'All news' })
    await list.hover()
    for (let i = 0; i < 6; i++) {
      await page.mouse.wheel(0, 4000)
      await expect
        .poll(() => list.evaluate((element: { scrollTop: number }) => element.scrollTop), PATIENTLY)
        .toBeGreaterThan(i * 500)
    }
    const firstSeen = () =>
      page.evaluate<string>(
        "document.elementFromPoint(500, 200)?.closest('.entry')?.querySelector('.title').textContent",
      )
    // The wheel may still be scrolling.
    const seen: string[] = []
    const isAtRest = async () => {
      seen.push(await firstSeen())
      return seen.at(-1) === seen.at(-2)
    }
    await expect.poll(isAtRest, PATIENTLY).toBe(true)
    const before = seen.at(-1)
    await arrive(stage, 'Fresh bread', 'https://bread.example/feed')
    const news = page.getByRole('button', { name: '1 new' })
    await news.waitFor()
    expect(await firstSeen()).toBe(before)
    await page.reload()
    await expect.poll(firstSeen, PATIENTLY).toBe(before)
    await page.getByRole('link', { name: 'Starred' }).click()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    await page.goBack()
    await expect.poll(firstSeen, PATIENTLY).toBe(before)
    expect(complaints).toEqual([])
  })

  test('a list of fifty thousand entries renders a few dozen rows', async () => {
    const stage = createServerFixture()
    const feedId = await stage.addFeed({
      url: 'https://many.example/feed',
      title: 'Many',
      entries: [{ title: 'One', agoMs: 1 }],
    })
    const { page } = await open(stage)
    const answers = Array.from({ length: 50_000 }, (_, i) => ({
      id: i + 1,
      feedId,
      title: `Entry ${i}`,
      language: 'en',
      category: 'uncategorized',
      read: false,
      seenAt: new Date(NOW - i * 1000).toISOString(),
      listedAt: new Date(NOW - i * 1000).toISOString(),
      listedBy: 'published',
    }))
    await page.route('**/api/v1/entries?**', (route) => {
      const query = new URL(route.request().url()).searchParams
      const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 50)]
      const next = from + limit < answers.length ? { next: String(from + limit) } : {}
      return route.fulfill({ json: { entries: answers.slice(from, from + limit), ...next } })
    })
    const query = JSON.stringify({ mine: true, unique: 'story', excerpts: true })
    await page.evaluate(
      `sessionStorage.setItem('freshet.at.all:|${query}|false', JSON.stringify({ loaded: 10000, anchor: 9000, offset: 0 }))`,
    )
    await page.reload()
    await page.getByRole('link', { name: 'Entry 8999' }).waitFor()
    await page.getByRole('region', { name: 'All news' }).hover()
    for (let i = 0; i < 30; i++) await page.mouse.wheel(0, 20_000)
    await expect.poll(() => page.locator('.entry').count(), PATIENTLY).toBeLessThan(60)
    // At every position, the rows follow each other without a gap and belong to that position.
    const list = page.getByRole('region', { name: 'All news' })
    for (const row of [5000, 20, 9400]) {
      await list.evaluate((element: { scrollTop: number }, top) => {
        element.scrollTop = top
      }, row * ROW_HEIGHT)
      await page.getByRole('link', { name: `Entry ${row}`, exact: true }).waitFor()
      const numbers = (await titles(page)).map((title) => Number(title.slice('Entry '.length)))
      expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i))
      expect(numbers).toContain(row + 5)
    }
    await expect
      .poll(
        () =>
          page
            .getByRole('region', { name: 'All news' })
            .evaluate((element: { scrollHeight: number }) => element.scrollHeight),
        PATIENTLY,
      )
      .toBeGreaterThan(10_000 * 80)
  })

  test('a phone shows one pane, with a way back', async () => {
    const { page, complaints } = await open(await filledStage(), '/', { width: 390, height: 844, hasTouch: true })
    await page.locator('.entry').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByRole('link', { name: 'Goose found in bakery' }).tap()
    await article(page).getByText('It was warm.').waitFor()
    expect(await page.getByRole('heading', { name: 'All news' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Back to the list' }).tap()
    await page.getByRole('heading', { name: 'All news' }).waitFor()
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('link', { name: 'Starred' }).tap()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('swiping left opens the next entry, swiping right goes back; scrolling does neither', async () => {
    const stage = await filledStage()
    const { page, complaints } = await open(stage, '/', { width: 390, height: 844, hasTouch: true })
    const touch = await page.context().newCDPSession(page)
    const swipe = async (from: [number, number], to: [number, number]) => {
      const at = (part: number) => ({
        x: from[0] + (to[0] - from[0]) * part,
        y: from[1] + (to[1] - from[1]) * part,
      })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] })
      for (const part of [0.3, 0.6, 1])
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(part)] })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await page.getByRole('link', { name: 'High water' }).tap()
    await article(page).getByRole('heading', { name: 'High water' }).waitFor()
    await swipe([300, 600], [90, 610])
    await article(page).getByText('It was warm.').waitFor()
    await swipe([200, 600], [240, 330]) // mostly vertical
    await swipe([200, 600], [150, 600]) // too short for a gesture
    await swipe([300, 500], [80, 510])
    await article(page).getByRole('heading', { name: 'Council approves tram line' }).waitFor()
    await swipe([80, 500], [320, 490])
    await page.getByRole('heading', { name: 'All news' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('a changed entry shows the changed words of its title and text', async () => {
    const stage = createServerFixture()
    const text = 'Two geese were seen near the mill at dawn, says the miller, who counted them twice.'
    const feedId = await stage.addFeed({
      url: 'https://geese.example/feed',
      title: 'Geese',
      entries: [{ title: 'Two geese seen', agoMs: HOUR, summary: `<p>${text}</p>` }],
    })
    const draft = { key: 'Two geese seen', publishedAt: NOW - HOUR }
    const summary = `<p>${text.replace('Two', 'Three').replace('dawn', '<script>alert(1)</script>noon')}</p>`
    const [held] = await stage.store.feedsById([feedId])
    const result = { kind: 'read', fresh: 0, changed: 1, window: 1, gap: false } as const
    const poll = { feedId, at: NOW - MINUTE, tookMs: 1, bytes: 1, conditional: true, result }
    const changed = [{ ...draft, title: 'Three geese seen', summary }]
    await stage.store.recordPolls([{ poll, schedule: held!.schedule, fresh: [], changed }])
    const { page, complaints } = await open(stage)
    await page.getByRole('link', { name: 'Three geese seen' }).click()
    await article(page).getByText('Changed once since it was published').click()
    const [headline, body] = [page.locator('.changes').nth(0), page.locator('.changes').nth(1)]
    const words = (of: typeof headline, kind: string) => of.locator(kind).allTextContents()
    expect(await words(headline, 'del')).toEqual(['removed: Two'])
    expect(await words(body, 'del')).toEqual(['removed: Two', 'removed: dawn,'])
    expect(await words(body, 'ins')).toEqual(['added: Three', 'added: noon,'])
    expect(complaints).toEqual([])
  })

  test('plays a podcast episode, and requests nothing from the publisher before', async () => {
    const burrow = { name: 'burrow', voice: 'podcast', rhythm: { kind: 'daily', hour: 6 } } as const
    const stage = createServerFixture()
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
    const { page, complaints } = await open(stage)
    const wasAsked = () => village.requests.some((request) => request.url === url)
    await page.getByRole('link', { name: 'Moles' }).click()
    const listen = page.getByRole('button', { name: 'Listen' })
    await listen.waitFor()
    expect(wasAsked()).toBe(false)
    await listen.press('Enter')
    await page.locator('audio').waitFor()
    const heardSeconds = () => page.evaluate<number>("document.querySelector('audio').currentTime")
    await expect.poll(heardSeconds, PATIENTLY).toBeGreaterThan(0)
    expect(wasAsked()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('a hostile feed shows its text and runs nothing, and the content security policy would stop it', async () => {
    const stage = createServerFixture()
    const summary = ATTACKS.map(([, html]) => html).join('\n')
    await stage.addFeed({
      url: 'https://evil.example/feed',
      title: '<script>hit=1</script>',
      entries: [
        {
          title: '"><img src=x onerror="hit=1">',
          url: 'javascript:hit=1',
          agoMs: MINUTE,
          summary: `<p>The end is near.</p>${summary}`,
          author: '<b onmouseover=hit=1>Eve',
        },
      ],
    })
    const { page } = await open(stage)
    await page.locator('.entry a').first().click()
    await article(page).getByText('The end is near.').waitFor()
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(
      await page.locator('.prose script, .prose iframe, .prose form, .prose [onerror], .prose [style]').count(),
    ).toBe(0)
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
    // If sanitizing failed: neither inline scripts nor handlers run, and no text becomes markup.
    const tried = await page.evaluate<string>(`(() => {
      const script = document.createElement('script')
      try { script.textContent = 'window.hit = 2' } catch (error) { return error.name }
      document.body.append(script)
      try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hit=3">') } catch (error) { return error.name }
      return 'it was let in'
    })()`)
    expect(tried).toBe('TypeError')
    expect(await page.evaluate('window.hit')).toBeUndefined()
  })

  test('reports that the server is unreachable, shows cached entries, and recovers', async () => {
    const stage = await filledStage()
    const port = await freePort()
    const first = await stage.listen(port)
    const shown = await openPage(browser!, first.url, { keepsNews: true })
    toClose.push(shown.close)
    const { page } = shown
    await page.getByRole('link', { name: 'Goose found in bakery' }).click()
    await article(page).getByText('It was warm.').waitFor()
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), PATIENTLY).toBe(true)
    // Once more, now that the worker has cached it.
    await page.reload()
    await article(page).getByText('It was warm.').waitFor()
    const closing = first.close()
    await stage.clock.advance(MINUTE) // the grace period for open connections
    await closing
    await page.getByText('The server is unreachable.').waitFor()
    await page.reload()
    await page.getByText('The server is unreachable.').waitFor()
    await article(page).getByText('It was warm.').waitFor()
    for (const file of ['/theme.js', '/favicon.svg'])
      expect(await page.evaluate(`fetch('${file}', { cache: 'no-store' }).then(({ ok }) => ok)`)).toBe(true)
    await arrive(stage, 'Fresh bread', 'https://bread.example/feed')
    const again = await stage.listen(port)
    toClose.unshift(again.close) // closed after the page, because its grace period uses the clock of the stage, which stands still
    await page.getByText('The server is unreachable.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByRole('link', { name: 'Fresh bread', exact: true }).waitFor()
  })

  test('shows the richer text of feed and page, switches between them, and fetches a page that is missing', async () => {
    const stage = createServerFixture()
    const feed = (n: number, more: object) => ({
      title: `Entry ${n}`,
      url: `https://notes.example/${n}`,
      agoMs: n * HOUR,
      ...more,
    })
    await stage.addFeed({
      url: 'https://notes.example/feed',
      title: 'Show notes',
      entries: [
        feed(1, {
          content: `<p>${'Notes of the show. '.repeat(12)}</p><ul><li>00:00 Hello</li><li>12:34 Herons</li></ul>`,
        }),
        feed(2, { summary: '<p>The beginning of a story …</p>' }),
        feed(3, { title: '', summary: '<p>The herons are back on the jetty, all four of them.</p>' }),
      ],
    })
    await stage.index()
    const [notes, teaser] = await Promise.all(
      [1, 2].map(async (n) => (await stage.store.entries({ limit: 9 })).find(({ url }) => url?.endsWith(`/${n}`))!),
    )
    await stage.store.queueArticles([want(notes!.id, 'notes', '1')], NOW)
    const read = await articleOf(stage.store, notes!.id)
    await stage.store.recordArticles([
      readArticle(read.id, NOW, { text: 'What could be read of the page.', noArchive: true }),
    ])
    const { page, complaints } = await open(stage, `/read/all?e=${notes!.id}`)

    // The feed has more; the page is one click or key away, also if it asks not to be copied.
    await page.locator('.prose', { hasText: '12:34 Herons' }).waitFor(PATIENTLY)
    expect(await page.title()).toContain('Entry 1')
    await page.keyboard.press('t')
    await page.getByText('What could be read of the page.').waitFor(PATIENTLY)
    expect(await page.getByRole('button', { name: 'From the page' }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'From the feed' }).click()
    await page.locator('.prose', { hasText: '12:34 Herons' }).waitFor(PATIENTLY)

    // A post is called by its first words, which stand in the text only once.
    await page.getByRole('link', { name: 'The herons are back on the jetty, all four of them.' }).click()
    await page.locator('.prose', { hasText: 'The herons are back' }).waitFor(PATIENTLY)
    expect(await page.getByRole('button', { name: 'Fetch the full article' }).count()).toBe(0)

    // A teaser: the page is fetched, and its text appears when it has come.
    await page.getByRole('link', { name: 'Entry 2' }).click()
    await page.getByRole('button', { name: 'Fetch the full article' }).click()
    await page.getByText('Fetching the page…').waitFor(PATIENTLY)
    const asked = await articleOf(stage.store, teaser!.id)
    const event = { kind: 'article', at: NOW, articleId: asked.id, url: asked.url, tookMs: 9, bytes: 9 } as const
    const links = [{ entryId: teaser!.id, feedId: teaser!.feedId }]
    const failure = { kind: 'http', status: 403, detail: 'its host blocks crawlers with a bot check' } as const
    await stage.store.recordArticles([
      { id: asked.id, at: NOW, queueDueAt: NOW, result: { kind: 'failed', failure, state: 'failed' } },
    ])
    stage.emit({ ...event, links, result: { kind: 'failed', failure } })
    await page.getByText('The site shows a bot check instead of the page.').waitFor(PATIENTLY)
    await page.keyboard.press('d')
    await page.getByText('Fetching the page…').waitFor(PATIENTLY)
    await stage.store.recordArticles([
      readArticle(asked.id, NOW + 1, { text: 'The whole story of the herons. '.repeat(40) }),
    ])
    stage.emit({ ...event, links, result: { kind: 'read', words: 240 } })
    await page.locator('.prose', { hasText: 'The whole story' }).waitFor(PATIENTLY)
    expect(complaints).toEqual([])
  })
})
