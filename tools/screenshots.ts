/**
 * `npm run screenshots`: the pictures of the README, from the demo, whose invented village runs on this machine. `npm run screenshots --
 * folder` takes every view at 1440, 1024 and 390 pixels, light and dark, into a folder, for review.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const folder = process.argv[2]
const docs = join(root, 'docs')
const LARGEST = 200_000
/** By then there are some thousand entries, several stories, and a host that backs off. */
const ENTRIES = 2500
const TIMEOUT_MS = 300_000

interface Shot {
  name: string
  path: string
  width: number
  isDark: boolean
  /** What must be visible. */
  shows: string
  before?: (page: Page) => Promise<void>
}

/** The feed with the papers' strategy: the first feed of the demo. */
const AGENCY = '/read/feed/1'

const README: Shot[] = [
  { name: 'page', path: AGENCY, width: 1440, isDark: false, shows: '.prose', before: openStory },
  { name: 'page-dark', path: AGENCY, width: 1024, isDark: true, shows: '.prose', before: openStory },
  { name: 'page-phone', path: '/read/all', width: 390, isDark: false, shows: '.entry' },
  { name: 'dashboard', path: '/dashboard', width: 1440, isDark: false, shows: '.charts canvas' },
]

const VIEWS: Pick<Shot, 'name' | 'path' | 'shows' | 'before'>[] = [
  { name: 'all', path: '/read/all', shows: '.entry' },
  { name: 'article', path: '/read/all', shows: '.prose', before: openStory },
  { name: 'search', path: '/read/search?q=velvet', shows: '.entry' },
  { name: 'morning', path: '/morning', shows: '.paper .end, .paper .nothing' },
  { name: 'site', path: '/site/bugle.localhost', shows: '.feeds .card' },
  { name: 'add', path: '/add', shows: '.drop' },
  { name: 'welcome', path: '/welcome', shows: '.topics' },
  { name: 'overview', path: '/dashboard', shows: '.charts canvas' },
  { name: 'feeds', path: '/dashboard/feeds', shows: 'tbody tr' },
  { name: 'feed', path: '/dashboard/feeds/3', shows: '.facts' },
  { name: 'hosts', path: '/dashboard/hosts', shows: '.card, tbody' },
  { name: 'stories', path: '/dashboard/stories', shows: '.size' },
  { name: 'goals', path: '/dashboard/goals', shows: '#wanted' },
  { name: 'lab', path: '/dashboard/lab', shows: 'form' },
  { name: 'settings', path: '/dashboard/settings', shows: '.setting' },
  { name: 'users', path: '/dashboard/users', shows: 'form' },
  { name: 'integrations', path: '/dashboard/integrations', shows: 'form' },
]

const EVERYTHING: Shot[] = VIEWS.flatMap((view) =>
  [1440, 1024, 390].flatMap((width) =>
    [false, true].map((isDark) => ({
      ...view,
      name: `${view.name}-${width}-${isDark ? 'dark' : 'light'}`,
      width,
      isDark,
    })),
  ),
)

const demo = spawn(process.execPath, [join(root, 'bin/freshet.js'), 'demo', '--port', '0', '--log', 'error'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await listening()
  await until('has enough to show', async () => {
    const status = (await (await fetch(`${url}/api/v1/status`)).json()) as { counts: { entries: number } }
    return status.counts.entries >= ENTRIES
  })
  const into = folder ?? docs
  mkdirSync(into, { recursive: true })
  // Without subpixel rendering, text is calmer and files are half as large.
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-lcd-text', '--font-render-hinting=none'],
  })
  for (const shot of folder ? EVERYTHING : README) {
    const viewport = { width: shot.width, height: shot.width < 500 ? 844 : 860 }
    const context = await browser.newContext({
      viewport,
      colorScheme: shot.isDark ? 'dark' : 'light',
      locale: 'en-GB',
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await page.goto(url + shot.path)
    await shot.before?.(page)
    await page.locator(shot.shows).first().waitFor()
    await page.waitForLoadState('networkidle').catch(() => {}) // the stream never ends
    await page.waitForTimeout(1500) // time for live events to arrive
    const picture = await page.screenshot()
    await context.close()
    const path = join(into, `${shot.name}.webp`)
    const packed = await packedIn(browser, picture)
    writeFileSync(path, packed)
    console.log(`${path}: ${Math.round(packed.length / 1000)} KB`)
    if (!folder && packed.length > LARGEST) throw new Error(`${path} is larger than ${LARGEST / 1000} KB`)
  }
  await browser.close()
} finally {
  demo.kill('SIGTERM')
}

/** As WebP, a third of the size, encoded by the browser itself. */
async function packedIn(browser: Browser, picture: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const url = `data:image/png;base64,${picture.toString('base64')}`
  const packed = await page.evaluate<string>(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch(${JSON.stringify(url)})).blob())
    const canvas = document.createElement('canvas')
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d').drawImage(bitmap, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  })()`)
  await page.close()
  return Buffer.from(packed.slice(packed.indexOf(',') + 1), 'base64')
}

/** An entry with copies, so that its lineage is visible. */
async function openStory(page: Page): Promise<void> {
  await page.locator('.entry').first().waitFor()
  const link = page.locator('.entry:has(.copies) .to')
  await link
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => {})
  const ofHere = page.locator('.entry:has(.title[lang="en"]) .to')
  await ((await link.count()) > 0 ? link.first() : ofHere.first()).click()
}

function listening(): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [url] = /http:\/\/localhost:\d+/.exec(output) ?? []
      if (url) resolve(url.replace('localhost', '127.0.0.1'))
    })
    demo.once('exit', () => reject(new Error(`the demonstration ended: ${output}`)))
  })
}

async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS
  while (!(await is().catch(() => false))) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain until the demonstration ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
