/** "For you" in a real browser: it learns from reading, explains itself, obeys, and forgets. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/model/index.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage, type PageOptions } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `for you (skipped: ${opened.missing})` : 'for you'
const PATIENTLY = { timeout: 30_000 }
/** An entry counts as opened after two seconds. */
const OPENED_MS = 2600

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

/** Three feeds with a dozen unread entries each. */
async function filledStage() {
  const stage = createServerFixture()
  for (const [n, feed] of ['Harbor', 'Mill', 'Tower'].entries()) {
    await stage.addFeed({
      url: `https://${feed.toLowerCase()}.example/feed`,
      title: feed,
      entries: Array.from({ length: 12 }, (_, i) => ({
        title: `${feed} ${i}`,
        url: `https://${feed.toLowerCase()}.example/${i}`,
        agoMs: (i * 3 + 1) * HOUR + n * MINUTE,
        summary: `<p>About ${feed} number ${i}.</p>`,
      })),
    })
  }
  return stage
}

async function open(stage: Awaited<ReturnType<typeof filledStage>>, path: string, options: PageOptions = {}) {
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, options)
  toClose.push(shown.close)
  return { ...shown, ...server, userId: await stage.store.firstUser() }
}

const titles = (page: Page) => page.locator('.entry .title').allTextContents()
const forYou = (page: Page) => page.getByRole('link', { name: 'For you', exact: true }).first()

async function readEntries(page: Page, feed: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await page.getByRole('link', { name: `${feed} ${i}`, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: `${feed} ${i}` }).waitFor()
    await page.waitForTimeout(OPENED_MS)
  }
}

describe.skipIf(!browser)(name, () => {
  test('puts what was opened before on top, and says why', async () => {
    const stage = await filledStage()
    const { page, complaints, userId } = await open(stage, '/read/all', { height: 1400 })
    await readEntries(page, 'Tower', 3)
    await forYou(page).click()
    await page.locator('.why').first().waitFor()
    expect((await titles(page))[0]).toBe('Tower 3')
    await expect.poll(() => page.title(), PATIENTLY).toContain('For you')
    const recorded = await stage.store.userValues(userId, 'interaction', { limit: 99 })
    const skipped = recorded.filter(({ value }) => 'skipped' in (value as object))
    expect(recorded.length - skipped.length).toBe(3)
    expect(skipped.length).toBeGreaterThan(2) // what was above them

    await page.getByRole('button', { name: 'Why is “Tower 3” here?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Why here?' })
    expect(await dialog.getByRole('listitem').allTextContents()).toContainEqual(
      expect.stringMatching(/You (often open|have opened) posts of Tower/),
    )
    await dialog
      .getByRole('group', { name: /posts of Tower/ })
      .getByRole('button', { name: 'Never' })
      .click()
    await dialog.getByText('The list is reordered').waitFor()
    await page.keyboard.press('Escape')
    const shown = async () => {
      const all = await titles(page)
      return { isLong: all.length > 5, hasTower: all.some((title) => title.startsWith('Tower')) }
    }
    await expect.poll(shown, PATIENTLY).toEqual({ isLong: true, hasTower: false })
    expect(complaints).toEqual([])
  })

  test('shows what was learned, forgets it, and can be turned off', async () => {
    const stage = await filledStage()
    const { page, userId } = await open(stage, '/read/all', { isUnguarded: true })
    await readEntries(page, 'Harbor', 1)
    await page.goto(new URL('/dashboard/for-you', page.url()).href)
    await page.getByText(/You have opened posts of Harbor/).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Forget everything' }).click()
    await page.getByRole('button', { name: 'Forget', exact: true }).click()
    await page.getByText('Nothing was learned yet.').waitFor()
    expect(await stage.store.userValues(userId, 'interaction', { limit: 99 })).toEqual([])

    await page.getByLabel('Learn from what I read').uncheck()
    await expect
      .poll(async () => (await stage.store.userValues(userId, 'ranking', { limit: 1 }))[0]?.value, PATIENTLY)
      .toMatchObject({ isOff: true })
    await page.goto(new URL('/read/all', page.url()).href)
    await readEntries(page, 'Mill', 1)
    await forYou(page).click()
    await page.locator('.why').first().waitFor()
    expect(await stage.store.userValues(userId, 'interaction', { limit: 99 })).toEqual([])
  })

  test('works with the keyboard and on a phone', async () => {
    const stage = await filledStage()
    const { page, complaints } = await open(stage, '/read/all', { width: 390, height: 844, isUnguarded: true })
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('y')
    await page.locator('.why').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/read/for-you')
    await page.locator('.why').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Why here?' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Harbor 0' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is an order of the morning page, which is remembered', async () => {
    const stage = await filledStage()
    const harbor = (await stage.store.entries({ limit: 99 })).filter(({ title }) => title.startsWith('Tower'))
    const values = harbor.slice(0, 5).map(({ id }) => id)
    const body = JSON.stringify({ opened: values })
    const headers = { 'content-type': 'application/json' }
    await stage.app.request('http://localhost/api/v1/for-you/interactions', { method: 'POST', headers, body })
    const day = new Date(NOW + DAY).toISOString().slice(0, 10)
    const { page } = await open(stage, `/morning/${day}`)
    const first = () => page.locator('.single li .about a').first().textContent()
    await page.locator('.single li').first().waitFor()
    expect(await first()).toMatch(/^Harbor/)
    await page.getByLabel('Order').selectOption('For you')
    await expect.poll(first, PATIENTLY).toMatch(/^Tower/)
    await page.reload()
    await page.locator('.single li').first().waitFor()
    expect(await first()).toMatch(/^Tower/)
  })
})
