/** The page of a read-only user: what they can read, whom to ask, and no form the server would refuse. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../src/model/index.ts'
import { createAccounts } from '../../src/server/index.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `reading only (skipped: ${opened.missing})` : 'reading only'
const PASSWORD = 'correct horse battery'
const toClose: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

/** Logged in as a read-only user. */
async function openAsReader(sharedReading: boolean) {
  const stage = createServerFixture({ sharedReading })
  const accounts = createAccounts({ users: stage.store, clock: stage.clock })
  await accounts.add('root', PASSWORD)
  await accounts.add('rita', PASSWORD, 'read')
  await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [{ title: 'High water', agoMs: HOUR, url: 'https://tides.example/1', content: '<p>It rises.</p>' }],
  })
  await stage.addFeed({
    url: 'https://pod.example/feed?auth=s3cret',
    title: 'Private',
    entries: [{ title: 'Hidden', agoMs: HOUR }],
  })
  const server = await stage.listen(0)
  const shown = await openPage(browser!, server.url, { isUnguarded: true })
  toClose.push(server.close, shown.close)
  const { page } = shown
  await page.getByLabel('Name').fill('rita')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  return shown
}

describe.skipIf(!browser)(name, () => {
  test('a user without readable feeds is told to ask an admin, and sees no form', async () => {
    const { page, complaints } = await openAsReader(false)
    await page.getByRole('heading', { name: 'rita can read, but cannot add feeds' }).waitFor()
    await page.getByText('There are no feeds that you can read yet.').waitFor()
    await page.getByText('Ask an admin').first().waitFor()
    expect(await page.locator('main input').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Add feeds' }).count()).toBe(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/read-only-empty.png` })
    await page.goto(new URL('/add', page.url()).href)
    await page.getByText('There are no feeds that you can read yet.').waitFor()
    expect(await page.locator('main input').count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a user finds and reads public feeds, and gets no errors', async () => {
    const { page, complaints } = await openAsReader(true)
    await page.getByText('High water').first().click()
    await page.getByRole('region', { name: 'Article' }).getByText('It rises.').waitFor()
    for (const refused of [/^Star/, /^Mark as/, 'Mark all as read'])
      expect(await page.getByRole('button', { name: refused }).count()).toBe(0)
    for (const key of ['s', 'm', 'Shift+A']) await page.keyboard.press(key)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/read-only-article.png` })
    expect(await page.getByText('Hidden').count()).toBe(0)
    await page.getByRole('link', { name: 'Readable feeds' }).click()
    await page.getByRole('link', { name: 'Tides' }).waitFor()
    expect(await page.getByText('Private').count()).toBe(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/read-only-list.png` })
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
