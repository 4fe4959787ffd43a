/** Managing feeds in a real browser: the table, folders, feeds in trouble, silent feeds and suggestions. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/model/index.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage, type PageOptions } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `managing feeds (skipped: ${opened.missing})` : 'managing feeds'
const PATIENTLY = { timeout: 30_000 }

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

type Stage = ReturnType<typeof createServerFixture>

const daily = (feed: string, agoMs: number) =>
  Array.from({ length: 8 }, (_, i) => ({
    title: `${feed} ${i}`,
    url: `https://${feed.toLowerCase()}.example/${i}`,
    agoMs: agoMs + i * DAY,
  }))

/** Four feeds: two in nested folders, one that fails, one that is silent. */
async function stageWithFeeds(): Promise<Stage> {
  const stage = createServerFixture()
  const add = (feed: string, more: object, agoMs = HOUR) =>
    stage.addFeed({
      url: `https://${feed.toLowerCase()}.example/feed`,
      title: feed,
      entries: daily(feed, agoMs),
      ...more,
    })
  await add('Harbor', { folder: 'News / World' })
  await add('Mill', { folder: 'News / City' }, MINUTE)
  await add('Broken', { trouble: { kind: 'http', status: 404 }, failures: 12 })
  await add('Quiet', { folder: 'Blogs' }, 90 * DAY)
  return stage
}

async function open(stage: Stage, path: string, options: PageOptions = {}) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, options)
  toClose.push(shown.close)
  return { ...shown, ...server }
}

const rowTitles = (page: Page) => page.locator('tbody tr[aria-rowindex] .lines a').allTextContents()
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sections' })
const notice = (page: Page) => page.locator('.container[role=status]')

async function foldersOf(stage: Stage): Promise<Record<string, string | undefined>> {
  const subscriptions = await stage.store.subscriptionsOf(await stage.store.firstUser(), { limit: 9999 })
  return Object.fromEntries(subscriptions.map(({ title, folder }) => [title, folder]))
}

describe.skipIf(!browser)(name, () => {
  test('the table filters, sorts and has an address of its own', async () => {
    const { page, url, complaints } = await open(await stageWithFeeds(), '/read/all', { isUnguarded: true })
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await expect.poll(() => rowTitles(page), PATIENTLY).toEqual(['Broken', 'Harbor', 'Mill', 'Quiet'])
    expect(await page.title()).toBe('Your feeds · Freshet')
    await page.getByRole('button', { name: 'Last entry' }).click()
    await expect.poll(() => rowTitles(page)).toEqual(['Mill', 'Harbor', 'Broken', 'Quiet'])
    await page.keyboard.press('/')
    await page.keyboard.type('news')
    await expect.poll(() => rowTitles(page)).toEqual(['Mill', 'Harbor'])
    await expect.poll(() => page.url()).toBe(`${url}/subscriptions?q=news&sort=lastEntry&desc=`)
    await page.reload()
    await expect.poll(() => rowTitles(page), PATIENTLY).toEqual(['Mill', 'Harbor'])
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('rows are selected by mouse and keyboard, and moved together, with undo', async () => {
    const stage = await stageWithFeeds()
    const { page, complaints } = await open(stage, '/subscriptions', { isUnguarded: true })
    await page.getByRole('checkbox', { name: 'Select Broken' }).click()
    await page.locator('tr[aria-rowindex="4"] td.folder').click({ modifiers: ['Shift'] })
    await page.getByRole('toolbar').getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Broken' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('toolbar').getByText('2 selected').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Move to …' }).click()
    await page.getByRole('dialog').getByLabel('New folder').check()
    await page.getByRole('dialog').getByRole('textbox').fill('Sea / Coast')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await notice(page).getByText('2 feeds moved to Sea / Coast').waitFor()
    await sidebar(page).getByRole('link', { name: 'Sea', exact: false }).first().waitFor()
    expect(await foldersOf(stage)).toMatchObject({ Broken: 'Sea / Coast', Harbor: 'Sea / Coast', Mill: 'News / City' })
    await notice(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Broken: undefined, Harbor: 'News / World' })
    expect(complaints).toEqual([])
  })

  test('selected feeds are paused, marked as read, get a strategy, and are unfollowed unless that is undone', async () => {
    const stage = await stageWithFeeds()
    const { page, url } = await open(stage, '/subscriptions')
    await page.getByRole('checkbox', { name: 'Select Harbor' }).click()
    await page.getByRole('checkbox', { name: 'Select Mill' }).click()
    const bar = page.getByRole('toolbar')
    await bar.getByRole('button', { name: 'Pause' }).click()
    await notice(page).getByText('2 feeds changed').waitFor()
    await expect.poll(() => page.locator('td.state', { hasText: 'paused' }).count(), PATIENTLY).toBe(2)
    const user = await stage.store.firstUser()
    const before = (await stage.store.readerCounts(user)).unread
    await bar.getByRole('button', { name: 'Mark all as read' }).click()
    await notice(page).getByText('marked as read').waitFor()
    expect((await stage.store.readerCounts(user)).unread).toBeLessThanOrEqual(before)
    await bar.getByRole('button', { name: 'Unfollow' }).click()
    await notice(page).getByText('2 feeds unfollowed').waitFor()
    await expect.poll(() => rowTitles(page)).toEqual(['Broken', 'Quiet'])
    await notice(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rowTitles(page)).toHaveLength(4)
    expect(Object.keys(await foldersOf(stage))).toHaveLength(4)
    await page.getByRole('checkbox', { name: 'Select Mill' }).click()
    await bar.getByRole('button', { name: 'Unfollow' }).click()
    await notice(page).getByText('Mill unfollowed').waitFor()
    await page.goto(`${url}/subscriptions`) // leaving the page sends what waits
    await expect.poll(() => rowTitles(page), PATIENTLY).toEqual(['Broken', 'Harbor', 'Quiet'])
  })

  test('five thousand feeds scroll, sort and are selected with few rows in the document', async () => {
    const stage = createServerFixture()
    const user = await stage.store.firstUser()
    for (let i = 0; i < 5000; i++) await stage.addFeed({ url: `https://f${i}.example/feed`, title: `Feed ${i}` })
    const { page } = await open(stage, '/subscriptions')
    await page.getByText('5,000 feeds').waitFor(PATIENTLY)
    expect(await page.locator('tbody tr').count()).toBeLessThan(60)
    await page.getByRole('checkbox', { name: 'Select Feed 0', exact: true }).focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByText('5,000 selected').waitFor()
    await page.evaluate('document.querySelector(".viewport").scrollTop = 1e6')
    await page.getByRole('checkbox', { name: 'Select Feed 4999' }).waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to …' }).click()
    await page.getByRole('dialog').getByLabel('New folder').check()
    await page.getByRole('dialog').getByRole('textbox').fill('All')
    await page.keyboard.press('Enter')
    await notice(page).getByText('5,000 feeds moved to All').waitFor(PATIENTLY)
    expect((await stage.store.readerCounts(user)).folders).toMatchObject([{ folder: 'All', feeds: 5000 }])
  })

  test('folders nest, and feeds and folders are moved by dragging and by menu', async () => {
    const stage = await stageWithFeeds()
    const { page, complaints } = await open(stage, '/read/all', { isUnguarded: true })
    const side = sidebar(page)
    await side.getByRole('button', { name: 'Feeds in News', exact: true }).click()
    await side.getByRole('link', { name: /^City/ }).waitFor()
    await side.getByRole('link', { name: /^Broken/ }).dragTo(side.getByRole('link', { name: /^Blogs/ }))
    await notice(page).getByText('1 feed moved to Blogs').waitFor()
    await side.getByRole('link', { name: /^City/ }).dragTo(side.getByRole('link', { name: /^Blogs/ }))
    await notice(page).getByText('City moved to Blogs').waitFor()
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Broken: 'Blogs', Mill: 'Blogs / City' })
    await side.getByRole('button', { name: 'Feeds in Blogs', exact: true }).click()
    await side.getByRole('button', { name: 'Actions for Blogs / City' }).focus()
    await page.keyboard.press('Enter')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Move to …' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Move City to' }).getByLabel('Top level').check()
    await page.keyboard.press('Enter')
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Mill: 'City' })
    expect(complaints).toEqual([])
  })

  test('folders and feeds are renamed in place, and deleting a folder moves its feeds out, with undo', async () => {
    const stage = await stageWithFeeds()
    const { page, complaints } = await open(stage, '/read/all', { isUnguarded: true })
    const side = sidebar(page)
    const choose = async (of: string, action: string) => {
      await side.getByRole('button', { name: `Actions for ${of}`, exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Blogs', 'Rename …')
    await page.keyboard.type('Letters')
    await page.keyboard.press('Enter')
    await notice(page).getByText('Renamed to Letters').waitFor()
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Quiet: 'Letters' })
    await choose('Broken', 'Rename …')
    await page.keyboard.type('Mended')
    await page.keyboard.press('Enter')
    await side.getByRole('link', { name: /^Mended/ }).waitFor()
    await choose('News', 'Delete folder …')
    await page.getByText('They move out of the folder.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the folder' }).click()
    await notice(page).getByText('Folder News deleted').waitFor()
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Harbor: 'World', Mill: 'City' })
    await notice(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => foldersOf(stage)).toMatchObject({ Harbor: 'News / World', Mill: 'News / City' })
    expect(complaints).toEqual([])
  })

  test('feeds in trouble say what is wrong and what to do, and get another address', async () => {
    const stage = await stageWithFeeds()
    const edits: unknown[] = []
    const edit = stage.crawler.edit
    stage.crawler.edit = (id, change) => {
      edits.push(change)
      return edit(id, change)
    }
    const { page, complaints } = await open(stage, '/subscriptions', { isUnguarded: true })
    await page.getByRole('link', { name: /^In trouble/ }).click()
    const card = page.getByRole('article', { name: 'Broken' })
    await card.getByText('The address no longer exists.').waitFor()
    await card.getByText('12 failed polls in a row.').waitFor()
    expect(await page.title()).toBe('In trouble · Freshet')
    expect(await page.getByRole('article').count()).toBe(1)
    await card.getByRole('button', { name: 'Edit address' }).click()
    expect(await accessibilityViolations(page)).toEqual([])
    await card.getByRole('textbox').fill('https://broken.example/new-feed')
    await card.getByRole('button', { name: 'Save' }).click()
    await notice(page).getByText('The address of Broken was changed').waitFor()
    expect(edits).toEqual([{ url: 'https://broken.example/new-feed' }])
    await card.getByRole('button', { name: 'Poll now' }).click()
    await notice(page).getByText('Next poll').waitFor()
    await card.getByRole('button', { name: 'Unfollow' }).click()
    await page.getByText('None of your feeds is in trouble.').waitFor()
    expect(complaints).toEqual([])
  })

  test('silent feeds say since when, and what was usual', async () => {
    const { page, complaints } = await open(await stageWithFeeds(), '/subscriptions/silent', { isUnguarded: true })
    const card = page.getByRole('article', { name: 'Quiet' })
    await card.getByText('Last entry 90 days ago.').waitFor()
    await card.getByText('Usually, there is a new one within 1 day.').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a file of another reader dropped anywhere is imported; before, the page says so', async () => {
    const stage = await stageWithFeeds()
    const { page, complaints } = await open(stage, '/read/all', { isUnguarded: true })
    await page.locator('.entry').first().waitFor()
    const drag = (name: string, at: string) =>
      page.evaluate(`{
        const data = new DataTransfer()
        data.items.add(new File(['<opml version="2.0"><body><outline text="Kept" xmlUrl="https://kept.example/feed"/></body></opml>'], 'feeds.opml'))
        document.querySelector('${at}').dispatchEvent(new DragEvent('${name}', { bubbles: true, cancelable: true, dataTransfer: data }))
      }`)
    await drag('dragenter', '.entry')
    await page.getByText('Drop files of another reader to import them').waitFor()
    await drag('dragleave', '.entry')
    await page.getByText('Drop files of another reader to import them').waitFor({ state: 'detached' })
    await drag('dragenter', '.entry')
    await drag('drop', '.entry')
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    await page.getByRole('link', { name: 'Kept', exact: true }).first().waitFor()
    expect(await page.getByText('Drop files of another reader to import them').count()).toBe(0)
    expect(Object.keys(await foldersOf(stage))).toContain('Kept')
    expect(complaints).toEqual([])
  })

  test('the bookmarklet, feed links and the share menu fill in an address, and add nothing by themselves', async () => {
    const stage = await stageWithFeeds()
    const requests: string[] = []
    const { page, url, complaints } = await open(stage, '/add', { isUnguarded: true })
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const href = await page.getByRole('link', { name: 'Add to Freshet' }).getAttribute('href')
    expect(href).toMatch(/^javascript:/)
    // biome-ignore lint/suspicious/noExplicitAny: a manifest
    const manifest: any = await (await fetch(`${url}/app.webmanifest`)).json()
    expect(manifest.share_target).toMatchObject({ action: '/add', method: 'GET' })
    expect(manifest.protocol_handlers.map(({ protocol }: { protocol: string }) => protocol)).toContain('web+feed')
    await page.goto(`${url}/app.webmanifest?from=bookmarklet`)
    await page.evaluate(href!.replace('javascript:', ''))
    await page.waitForURL(/\/add\?url=/)
    const field = page.getByLabel('Address of a site or a feed')
    await expect.poll(() => field.inputValue()).toBe(`${url}/app.webmanifest?from=bookmarklet`)
    await page.goto(`${url}/add?url=${encodeURIComponent('web+feed://kept.example/feed')}`)
    await page.getByText('Nothing is added before you choose.').waitFor()
    expect(await field.inputValue()).toBe('web+feed://kept.example/feed')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.goto(`${url}/add?text=${encodeURIComponent('Look: https://shared.example/')}`)
    await expect.poll(() => field.inputValue()).toBe('https://shared.example/')
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
    expect(Object.keys(await foldersOf(stage))).toHaveLength(4)
    expect(complaints).toEqual([])
  })

  test('suggestions are sites that followed feeds link to, and are followed with the usual discovery', async () => {
    const stage = createServerFixture()
    for (const feed of ['Harbor', 'Mill'])
      await stage.addFeed({
        url: `https://${feed.toLowerCase()}.example/feed`,
        title: feed,
        entries: [{ title: `${feed} links`, agoMs: HOUR, summary: '<a href="https://blog.example/post">a blog</a>' }],
      })
    const { page, complaints } = await open(stage, '/subscriptions', { isUnguarded: true })
    await page.getByRole('link', { name: 'Suggestions' }).click()
    await page.getByText('linked by 2 of your feeds, in 2 entries').waitFor()
    await page.getByRole('link', { name: 'Harbor links' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Follow blog.example' }).click()
    await page.getByText('searching for a feed').waitFor()
    const user = await stage.store.firstUser()
    expect(await stage.store.pendingSubscriptions(user, { limit: 9 })).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
