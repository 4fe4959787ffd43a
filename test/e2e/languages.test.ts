/**
 * The page in other languages: chosen by the browser or by the setting, and with no text cut off, on a phone and on a desktop. A pseudo-
 * language, longer than English and from right to left, shows what a language would show that has no catalog yet.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../src/model/index.ts'
import type { Catalog } from '../../web/languages/catalog.ts'
import { isRightToLeft } from '../../web/languages/choose-language.ts'
import { type Part, parseMessage } from '../../web/languages/message.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `languages (skipped: ${opened.missing})` : 'languages'

const folder = join(import.meta.dirname, '../../web/languages')
const read = (language: string): Catalog => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))
const translations = readdirSync(folder).flatMap((file) => (/^(?!en\.).*\.json$/.test(file) ? file.slice(0, -5) : []))

const VIEWS: [path: string, shows: string][] = [
  ['/read/all', '.entry'],
  ['/read/feed/1?e=1', '.prose'],
  ['/read/starred', '.nothing'],
  ['/read/search?q=tram', '.hits'],
  ['/morning', '.paper .end, .paper .nothing'],
  ['/site/wire.example', '.feeds .card'],
  ['/add', '.drop'],
  ['/subscriptions', 'tbody tr[aria-rowindex]'],
  ['/subscriptions/trouble', 'article'],
  ['/welcome', '.topics'],
  ['/dashboard', '.tiles'],
  ['/dashboard/feeds/2', '.facts'],
  ['/dashboard/goals', '#wanted'],
  ['/dashboard/lab', 'form'],
  ['/dashboard/for-you', '#learning'],
  ['/dashboard/settings', '.setting'],
  ['/dashboard/users', 'form'],
  ['/dashboard/integrations', 'form'],
  ['/dashboard/rules', 'section'],
  ['/dashboard/notifications', 'form'],
]
const WIDTHS = [1280, 390]

/** Texts that are wider than their element, without an ellipsis that is meant. */
const CUT_TEXTS = `[...document.querySelectorAll('button, .button, [role=tab], nav a, label, legend, h1, h2, h3, th, dt, summary, .chip')]
  .filter((one) => {
    const style = getComputedStyle(one)
    if (style.display === 'inline' || !one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden')) return false
    const isMeant = [one, ...one.querySelectorAll('*')].some((inner) => {
      const { textOverflow, webkitLineClamp } = getComputedStyle(inner)
      return textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || inner.matches('select, input')
    })
    return !isMeant && one.scrollWidth > one.clientWidth + 1
  })
  .map((one) => one.tagName + ' ' + one.className + ': ' + one.textContent.trim().slice(0, 80) + ' (' + one.scrollWidth + ' > ' + one.clientWidth + ')')`

let url: string
const toClose: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  if (!browser) return
  const stage = createServerFixture()
  await stage.addFeed({
    url: 'https://wire.example/feed',
    title: 'The Wire',
    folder: 'News',
    entries: [
      {
        title: 'Council approves tram line',
        url: 'https://wire.example/tram',
        agoMs: 28 * HOUR,
        summary: '<p>A tram.</p>',
      },
      { title: 'High water', agoMs: 5 * MINUTE },
    ],
  })
  await stage.addFeed({
    url: 'https://mirror.example/atom.xml',
    title: 'Mirror',
    trouble: { kind: 'http', status: 503 },
    failures: 3,
    entries: [{ title: 'A tram for Port Else', url: 'https://mirror.example/tram', agoMs: 27 * HOUR }],
  })
  await stage.index()
  const server = await stage.listen(0)
  url = server.url
  toClose.push(server.close)
})
afterAll(async () => {
  await browser?.close()
  for (const close of toClose) await close()
})

async function openAs(
  locale: string,
  path: string,
  { serviceWorkers = 'block' }: { serviceWorkers?: 'allow' | 'block' } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser!.newContext({ locale, serviceWorkers, viewport: { width: 1280, height: 860 } })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await page.goto(url + path)
  return { page, context }
}

/** Opens all views and returns the texts that are cut off. */
async function cutTexts(page: Page, isTurned = false): Promise<string[]> {
  const found: string[] = []
  for (const [path, shows] of VIEWS) {
    await page.goto(url + path)
    await page.locator(shows).first().waitFor()
    if (isTurned) await page.evaluate("document.documentElement.dir = 'rtl'")
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      const isWider = await page.evaluate<boolean>(`document.documentElement.scrollWidth > ${width}`)
      if (isWider) found.push(`${path} at ${width}: the page is wider than the window`)
      for (const text of await page.evaluate<string[]>(CUT_TEXTS)) found.push(`${path} at ${width}: ${text}`)
    }
  }
  return found
}

/** Words are some 40 % longer, and the text begins and ends with a mark of right-to-left writing. */
function pseudo(catalog: Catalog): Catalog {
  const text = (message: string) => `\u200f${written(parseMessage(message))}\u200f`
  return Object.fromEntries(
    Object.entries(catalog).map(([key, value]) => [key, typeof value === 'string' ? text(value) : pseudo(value)]),
  )
}

function written(parts: Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part.replace(/[A-Za-z]{4,}/g, longer)
      if ('isCount' in part) return '#'
      if (!('choices' in part)) return `{${part.argument}}`
      const choices = Object.entries(part.choices).map(([key, inner]) => `${key} {${written(inner)}}`)
      return `{${part.argument}, ${part.type}, ${choices.join(' ')}}`
    })
    .join('')
}
const longer = (word: string): string => word + word.slice(1, 1 + Math.ceil(word.length * 0.4))

describe.skipIf(!browser)(name, () => {
  test('the page is in the language of the browser, with its numbers and dates', async () => {
    const { page, context } = await openAs('de-AT', '/read/all')
    await page.getByRole('heading', { name: 'Alle Nachrichten' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.locator('.entry time').first().textContent()).toBe('vor 5 Min.')
    await context.close()
  })

  test('only one catalog is loaded, and the page is never in English first', async () => {
    const { page, context } = await openAs('en-GB', '/dashboard/settings')
    await page.getByRole('heading', { name: 'This browser' }).waitFor()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('heading', { name: 'Dieser Browser' }).waitFor()
    expect(loaded.filter((path) => /\/assets\/en-.*\.json$/.test(path))).toEqual([])
    await page.getByLabel('Sprache').selectOption('')
    await page.getByRole('heading', { name: 'This browser' }).waitFor()
    await context.close()
  })

  test('the service worker keeps the catalog in use, and no other', async () => {
    const { page, context } = await openAs('de-DE', '/read/all', { serviceWorkers: 'allow' })
    const kept = () =>
      page.evaluate<string[]>(
        `caches.open('freshet-files').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))`,
      )
    await expect.poll(async () => (await kept()).length, { timeout: 30_000 }).toBeGreaterThan(10)
    const isCatalog = (path: string) => path.endsWith('.json')
    await expect.poll(async () => (await kept()).filter(isCatalog), { timeout: 30_000 }).toHaveLength(1)
    expect((await kept()).find(isCatalog)).toMatch(/\/assets\/de-/)
    await context.close()
  })

  test('a language without a catalog is English', async () => {
    const { page, context } = await openAs('is-IS', '/read/all')
    await page.getByRole('heading', { name: 'All news' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await context.close()
  })

  test.each(translations)('no text is cut off in %s', async (language) => {
    const { page, context } = await openAs(language, '/read/all')
    await page.locator('.entry').first().waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe(isRightToLeft(language) ? 'rtl' : 'ltr')
    expect(await cutTexts(page)).toEqual([])
    await context.close()
  })

  test('no text is cut off if it is longer than in English and from right to left', async () => {
    const { page, context } = await openAs('en-GB', '/read/all')
    await context.route('**/assets/en-*.json', (route) => route.fulfill({ json: pseudo(read('en')) }))
    await page.reload()
    await page.getByRole('heading', { name: 'news' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('\u200fAll newsew\u200f')
    expect(await cutTexts(page, true)).toEqual([])
    await context.close()
  })
})
