/** The engine room in a real browser: what is shown of a feed, and the levers. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../src/model/index.ts'
import { createStage, NOW } from '../stage.ts'
import { openBrowser } from './browser.ts'
import { openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the engine room (skipped: ${opened.missing})` : 'the engine room'
const toClose: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

async function open(path: string) {
  const stage = createStage({ pollsPerDay: 5000 })
  const id = await stage.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    folder: 'Sea',
    dueInMs: 3 * MINUTE,
    entries: [
      { title: 'High water', agoMs: 6 * MINUTE },
      { title: 'Low water', agoMs: 5 * HOUR },
    ],
  })
  await stage.addFeed({
    url: 'https://bread.example/feed',
    title: 'Bread',
    trouble: { kind: 'http', status: 503 },
    failures: 3,
    entries: [{ title: 'Rye', agoMs: HOUR }],
  })
  for (const { feed } of await stage.store.feeds({ order: 'id', limit: 9 }))
    await stage.store.changeFeed(feed.id, {}, { strategy: 'fixed:1h' })
  await stage.store.recordHosts([
    { root: 'slow.example', notBeforeAt: NOW + HOUR, strikes: 2, trouble: { kind: 'http', status: 429 } },
  ])
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path.replace('ID', String(id)))
  toClose.push(shown.close)
  return { ...stage, ...shown, id }
}

describe.skipIf(!browser)(name, () => {
  test('a feed is paused, resumed and, once confirmed, removed', async () => {
    const { page, store, complaints } = await open('/engine/feeds/ID')
    await page.getByText('Next poll, and why then').waitFor()
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await page.getByRole('button', { name: 'Resume' }).press('Enter')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    const asking = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Remove' }).press('Enter')
    await asking.waitFor()
    await page.keyboard.press('Escape')
    await asking.waitFor({ state: 'hidden' })
    expect((await store.counts()).feeds.active).toBe(2)
    await page.getByRole('button', { name: 'Remove' }).press('Enter')
    await asking.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByRole('status').getByText('Tides was removed').waitFor()
    expect((await store.counts()).feeds.active).toBe(1)
    expect(complaints).toEqual([])
  })

  test('trouble is told in words, with what happens next; and so are hosts that rest', async () => {
    const { page, complaints } = await open('/engine')
    await page.getByRole('term').getByText('Feeds in trouble').waitFor()
    await page.getByRole('link', { name: 'Feeds', exact: true }).click()
    await page
      .getByRole('row', { name: /Bread.*503/ })
      .getByRole('link', { name: 'Bread' })
      .click()
    await page.getByRole('alert').getByText('3 times in a row').waitFor()
    await page
      .getByRole('alert')
      .getByText(/tried again/)
      .waitFor()
    await page.getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('row', { name: /slow\.example.*429/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a goal shows its price before it is paid', async () => {
    const { page, store, complaints } = await open('/engine/goals')
    await page.getByRole('combobox', { name: /^For/ }).selectOption('folder:Sea')
    await page.getByRole('slider').fill('3')
    await page
      .getByRole('status')
      .getByText(/than now|as now/)
      .waitFor()
    expect((await store.folders()).size).toBe(0)
    await page.getByRole('button', { name: /^Want news within 10/ }).click()
    await page.getByRole('cell', { name: 'Sea' }).waitFor()
    expect((await store.folders()).get('Sea')).toEqual({ goalMs: 10 * MINUTE })
    expect(complaints).toEqual([])
  })

  test('a replay of a past that is too short says so, and what to do', async () => {
    const { page, complaints } = await open('/engine/lab')
    await page.getByRole('button', { name: 'Replay it' }).click()
    await page
      .getByRole('alert')
      .getByText(/less than a day/)
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('the first account is made here, and then everybody logs in', async () => {
    const { page, store } = await open('/engine/people')
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Add the first account' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    expect((await store.people()).map((person) => person.name)).toEqual(['ada'])
    await page.getByLabel('For which program').fill('my phone')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await page.getByText('It is shown this once').waitFor()
    await page.getByText('my phone').waitFor()
  })
})
