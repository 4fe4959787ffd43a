/** Labels by hand and rules on the page, in a real browser. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../src/model/index.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `labels and rules (skipped: ${opened.missing})` : 'labels and rules'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

async function open(path: string) {
  const stage = createServerFixture()
  await stage.addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    folder: 'Ports',
    entries: ['Ferry timetable', 'Sponsored boots', 'Fog'].map((title, i) => ({ title, agoMs: (i + 1) * HOUR })),
  })
  await stage.index()
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, { isUnguarded: true })
  toClose.push(shown.close)
  return { ...shown, ...stage }
}

describe.skipIf(!browser)(name, () => {
  test('a label is created, listed, and removed with the keyboard', async () => {
    const { page, complaints } = await open('/read/all')
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Ferry timetable' }).waitFor()
    await page.keyboard.press('l')
    await page.keyboard.type('Later')
    await page.getByRole('option', { name: 'Create “Later”' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Later', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Later/ })
      .click()
    await page.getByRole('heading', { name: 'Later' }).waitFor()
    await expect.poll(() => page.locator('.entry').count()).toBe(1)
    await page.keyboard.press('n')
    await page.keyboard.press('l')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Later', selected: false }).waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() =>
        page
          .getByRole('navigation')
          .getByRole('link', { name: /^Later$/ })
          .count(),
      )
      .toBe(1)
    expect(complaints).toEqual([])
  })

  test('a rule is tested, saved, applied to old entries, moved and removed', async () => {
    const { page, complaints } = await open('/dashboard/rules')
    const add = async (ruleName: string, query: string, action: string) => {
      await page.getByRole('button', { name: 'Add a rule' }).click()
      await page.getByLabel('Name', { exact: true }).fill(ruleName)
      await page.getByLabel('When an entry matches').fill(query)
      await page.getByLabel(action, { exact: true }).check()
    }
    await add('Ads', 'title:/^sponsored/i', 'mute')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Would have matched 1 of the last 3 entries').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await add('Ferries', 'ferry', 'star')
    await page.getByRole('button', { name: 'Save' }).click()
    const names = () => page.locator('ol strong').allTextContents()
    await expect.poll(names).toEqual(['Ads', 'Ferries'])
    await page.getByRole('button', { name: 'Move Ferries up' }).press('Enter')
    await expect.poll(names).toEqual(['Ferries', 'Ads'])
    await page.getByRole('button', { name: 'Apply to old entries' }).last().click()
    await page.getByText('1 of 3 entries changed').waitFor()
    await page.getByRole('link', { name: 'Muted' }).click()
    await expect.poll(() => page.locator('.entry').count()).toBe(1)
    await page.goBack()
    await page.getByRole('button', { name: 'Remove Ferries' }).click()
    await expect.poll(names).toEqual(['Ads'])
    expect(complaints).toEqual([])
  })
})
