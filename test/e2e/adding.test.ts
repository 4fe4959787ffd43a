/** First run and adding feeds: the program as a process, the village on loopback, and a real browser. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clocks/index.ts'
import { createVillage, type Village } from '../../src/lab/index.ts'
import { openBrowser } from './browser.ts'
import { openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `adding (skipped: ${opened.missing})` : 'adding'

const PROGRAM = join(import.meta.dirname, '../../bin/freshet.js')
const toClose: (() => Promise<unknown>)[] = []
let village: Village

beforeEach(async () => {
  village = createVillage({
    clock: systemClock(),
    sites: [
      {
        name: 'gazette',
        title: 'The Gazette',
        feeds: [{ path: '/feed' }, { path: '/comments/feed' }],
      },
      { name: 'bugle', title: 'The Bugle', feeds: [{ path: '/rss.xml' }] },
      {
        name: 'social',
        title: 'Anna',
        feeds: [{ path: '/@anna.rss', announced: 'no' }],
        documents: { '/.well-known/webfinger': { type: 'application/jrd+json', text: '{"links":[]}' } },
      },
    ],
  })
  toClose.push((await village.listen()).close)
})
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

/** The address it listens on. */
async function startProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-page-'))
  const environment = {
    PATH: process.env.PATH,
    FRESHET_STORE: join(folder, 'news.db'),
    FRESHET_PORT: '0',
    FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    FRESHET_HOST_GAP: '50ms',
    FRESHET_MIN_INTERVAL: '1s',
    FRESHET_STRATEGY: 'fixed:1s',
    FRESHET_BUDGET: '1000000/d',
  }
  const program: ChildProcess = spawn(process.execPath, [PROGRAM, 'run'], { cwd: folder, env: environment })
  toClose.push(async () => {
    program.kill('SIGTERM')
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/http:\/\/\S+:\d+/)
  return /http:\/\/[^\s/]+:\d+/.exec(output)?.[0] ?? ''
}

async function startPage() {
  const url = await startProgram()
  const shown = await openPage(browser!, url)
  toClose.push(shown.close)
  return { ...shown, url }
}

describe.skipIf(!browser)(name, () => {
  test('an empty store leads to the first article, and new entries arrive without reloading', async () => {
    const site = village.site('gazette')
    site.publish({ title: 'A goose was seen in the smoke' })
    const { page, complaints } = await startPage()
    await page.getByRole('heading', { name: 'News, early and once.' }).waitFor()
    await page.getByLabel('The address of a site you like to read').fill(site.home)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Read the news' }).click()
    await page.getByRole('link', { name: 'A goose was seen in the smoke' }).click()
    await page.getByRole('region', { name: 'Article' }).getByRole('heading', { level: 1 }).waitFor()
    site.publish({ title: 'The goose has left' })
    await page.getByRole('button', { name: /new$/ }).click()
    await page.getByRole('link', { name: 'The goose has left' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('an address shows its candidates, with entries and reasons for their rank, before the user decides', async () => {
    const site = village.site('gazette')
    site.publish({ title: 'Fog on the water' })
    const { page, url, complaints } = await startPage()
    await page.goto(`${url}/add`)
    await page.getByLabel('Address of a site or a feed').fill(site.home)
    await page.getByRole('button', { name: 'Find feeds' }).click()
    await page.getByText('best match').waitFor()
    await page.getByText('Fog on the water').first().waitFor()
    await page.getByText('Reason:').first().waitFor()
    await page
      .getByRole('button', { name: /^Add The Gazette/ })
      .first()
      .click()
    await page.getByRole('status').getByText('1 feed added').waitFor()
    await page.getByLabel('Address of a site or a feed').fill('http://nowhere.localhost:9/')
    await page.getByRole('button', { name: 'Find feeds' }).click()
    await page.getByRole('alert').getByText('No feed was found').waitFor()
    expect(complaints).toEqual([])
  })

  test('the name of a profile leads to its feed, and a host without feeds to a sentence about what can be done', async () => {
    const site = village.site('social')
    site.publish({ title: 'Low tide at noon' })
    const { page, url, complaints } = await startPage()
    await page.goto(`${url}/add`)
    const field = page.getByLabel('Address of a site or a feed')
    await field.fill(`@anna@${new URL(site.home).host}`)
    await page.keyboard.press('Enter')
    await page.getByText('Low tide at noon').first().waitFor()
    await page.getByRole('button', { name: /^Add Anna/ }).click()
    await page.getByRole('status').getByText('1 feed added').waitFor()
    await field.fill('https://t.me/s/tides')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Telegram has no feeds/)
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('an OPML file is imported, and failed addresses are listed with the reason', async () => {
    village.site('gazette').publish({ title: 'Fog on the water' })
    const { page, url, complaints } = await startPage()
    await page.goto(`${url}/add`)
    const home = village.site('gazette').home
    const opml = `<opml version="2.0"><body><outline text="Papers"><outline text="Gazette" xmlUrl="${new URL('/feed', home)}"/>
      <outline text="Gone" xmlUrl="${new URL('/nothing-here', village.site('bugle').home)}"/></outline><outline xmlUrl="no"/></body></opml>`
    const file = { name: 'feeds.opml', mimeType: 'text/xml', buffer: Buffer.from(opml) }
    await page.getByLabel('Drop files of another reader here, or choose them').setInputFiles(file)
    const sum = page.getByRole('status').getByText(/1 feed added.*1 failed.*1 without a web address/)
    await sum.waitFor()
    await page.getByText(/404/).first().waitFor()
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: /^Papers/ })
      .click()
    await page.getByRole('link', { name: 'Fog on the water' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`${url}/add`).then(() => page.getByRole('link', { name: 'feeds.opml' }).click()),
    ])
    expect(download.suggestedFilename()).toBe('feeds.opml')
    expect(complaints).toEqual([])
  })

  test('stars and read entries of another reader are imported, with a report that opens in full', async () => {
    const site = village.site('gazette')
    const url = new URL('/feed', site.home).href
    for (const title of ['Fog on the water', 'A boat in the fog']) site.publish({ title })
    const { page, url: server, complaints } = await startPage()
    await page.goto(`${server}/add`)
    const star = (title: string) => ({
      title,
      published: 1_500_000_000,
      categories: ['user/1/state/com.google/starred', 'user/1/label/Fog'],
      canonical: [{ href: `https://gazette.example/${encodeURIComponent(title)}` }],
      origin: { streamId: `feed/${url}`, title: 'The Gazette' },
    })
    const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    const opml = `<opml version="2.0"><body><outline text="Papers"><outline text="The Gazette" xmlUrl="${url}"/></outline></body></opml>`
    await page
      .getByLabel('Drop files of another reader here, or choose them')
      .setInputFiles([
        file('starred.json', JSON.stringify({ items: [star('An old star')] })),
        file('broken.json', '{'),
        file('feeds.opml', opml),
      ])
    await page.getByRole('alert').getByText('broken.json: The file cannot be imported').waitFor()
    const report = page.getByRole('region', { name: 'Imported entries' })
    await report.getByText('1 added, 1 labeled', { exact: true }).waitFor()
    await report.getByText('The Gazette').focus()
    await page.keyboard.press('Enter')
    await report.getByRole('link', { name: 'An old star' }).waitFor()
    await page.getByRole('status').getByText('1 feed added').waitFor()
    await page.goto(`${server}/read/starred`)
    await page.getByRole('link', { name: 'An old star' }).waitFor()
    expect(complaints).toEqual([])
  })
})
