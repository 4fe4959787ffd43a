/** The dashboard in a real browser: what it shows of a feed, and its controls. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createBudget } from '../../src/crawl/index.ts'
import { HOUR, MINUTE } from '../../src/model/index.ts'
import { rolesOf, type SeenMember, type Store } from '../../src/ports/index.ts'
import { LIMITS, strategyNamed } from '../../src/scheduling/index.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the dashboard (skipped: ${opened.missing})` : 'the dashboard'
const toClose: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

interface Opening {
  /** Runs before the page is opened. */
  before?: (store: Store) => Promise<void>
}

async function open(
  path: string,
  parts: Parameters<typeof createServerFixture>[0] = { pollsPerDay: 5000 },
  { before }: Opening = {},
) {
  const stage = createServerFixture(parts)
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
  await stage.store.recordSites({
    hosts: [{ root: 'slow.example', notBeforeAt: NOW + HOUR, strikes: 2, trouble: { kind: 'http', status: 429 } }],
  })
  await before?.(stage.store)
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path.replace('ID', String(id)))
  toClose.push(shown.close)
  return { ...stage, ...shown, id }
}

/** The state after a crawl: feeds that publish every other hour, and spending recorded by the market. */
async function surveyed(store: Store): Promise<void> {
  const { begin, learn } = strategyNamed('tide')
  const window = Array.from({ length: 20 }, (_, i) => NOW - (2 * i + 1) * HOUR)
  const memory = learn(begin(), { at: NOW, window, fresh: window.length })
  for (const { feed } of await store.feeds({ order: 'id', limit: 9 }))
    await store.changeFeed(feed.id, {}, { strategy: 'tide', memory, polledAt: NOW, succeededAt: NOW })
  const budget = createBudget(rolesOf(store), { limits: LIMITS, pollsPerDay: 'auto' }, NOW)
  await budget.begin()
  await budget.publish()
}

describe.skipIf(!browser)(name, () => {
  test('a feed is paused, resumed and, once confirmed, removed', async () => {
    const { page, store, complaints } = await open('/dashboard/feeds/ID')
    await page.getByText('Next poll and its reason').waitFor()
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

  test('a feed shows the history of M, T and ToE if its strategy uses them', async () => {
    const { page, id, pollBy, complaints } = await open('/dashboard/feeds/ID')
    await page.getByText('Next poll and its reason').waitFor()
    expect(await page.getByText('Adaptive polling').count()).toBe(0)
    await pollBy('adva-rss:spread=0', id, 12)
    await page.reload()
    const shown = page.getByRole('region', { name: 'Adaptive polling' })
    await shown.getByRole('img', { name: 'Rounds between two polls' }).locator('canvas').waitFor()
    await shown.getByRole('img', { name: 'Rounds since the last change' }).locator('canvas').waitFor()
    await shown.getByText(/^Now M is 3\.\d, T is 5\.\d and ToE is 4\. From the poll log\.$/).waitFor()
    expect(complaints).toEqual([])
  })

  test('failures are explained with the next attempt, and so are hosts that back off', async () => {
    const { page, complaints } = await open('/dashboard')
    await page.getByRole('term').getByText('Failing feeds').waitFor()
    await page.getByRole('link', { name: 'Feeds', exact: true }).click()
    await page
      .getByRole('row', { name: /Bread.*503/ })
      .getByRole('link', { name: 'Bread' })
      .click()
    await page.getByRole('alert').getByText('3 times in a row').waitFor()
    await page
      .getByRole('alert')
      .getByText(/Next attempt/)
      .waitFor()
    await page.getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('row', { name: /slow\.example.*429/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a goal shows its cost before it is saved', async () => {
    const { page, store, complaints } = await open('/dashboard/goals')
    await page.getByRole('combobox', { name: /^For/ }).selectOption('folder:Sea')
    await page.getByRole('slider', { name: /^News should/ }).fill('3')
    await page
      .getByRole('form', { name: 'Goals' })
      .getByRole('status')
      .getByText(/than now|as now/)
      .waitFor()
    expect((await store.pollSettings()).folderGoals.size).toBe(0)
    await page.getByRole('button', { name: /^Set goal: within 10/ }).click()
    await page.getByRole('cell', { name: 'Sea' }).waitFor()
    expect((await store.pollSettings()).folderGoals.get('Sea')).toEqual({ goalMs: 10 * MINUTE })
    expect(complaints).toEqual([])
  })

  test('a budget shows its effect before it is saved, and cannot be changed if the configuration sets it', async () => {
    const { page, store, complaints } = await open('/dashboard/goals', {}, { before: surveyed })
    const slider = page.getByRole('slider', { name: /^At most/ })
    const buys = page.getByRole('form', { name: 'Budget' }).getByRole('status')
    await buys.getByText('mean delay of an entry').waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe('automatic')
    expect(await page.getByRole('button', { name: 'Current setting' }).isDisabled()).toBe(true)
    await slider.press('Home')
    await buys.getByText(/A feed is polled every/).waitFor()
    expect((await store.pollSettings()).pollsPerDay).toBeUndefined()
    const named = page.getByRole('button', { name: /^Set \d+ polls per day/ })
    const polls = Number(/\d+/.exec((await named.textContent()) ?? '')?.[0])
    await named.press('Enter')
    await page.getByRole('status').getByText(`Budget: ${polls} polls per day`).waitFor()
    expect((await store.pollSettings()).pollsPerDay).toBe(polls)
    await page.reload()
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(`${polls} polls per day`)
    await slider.press('End')
    await page.getByRole('button', { name: 'Set to automatic' }).press('Enter')
    await page.getByRole('status').getByText('Budget: automatic').waitFor()
    expect((await store.pollSettings()).pollsPerDay).toBeUndefined()
    expect(complaints).toEqual([])
    const fixed = await open('/dashboard/goals', { pollsPerDay: 5000, budgetFrom: 'flag' })
    await fixed.page.getByText('Set at startup by --budget.').waitFor()
    expect(await fixed.page.getByRole('slider', { name: /^At most/ }).isDisabled()).toBe(true)
  })

  test('a fleet has a page with quarantined fetchers; a single process has none', async () => {
    const seen = { version: '0.1.0', startedAt: NOW - HOUR, seenAt: NOW, aheadMs: 0 }
    const fleetMembers = (): SeenMember[] => [
      {
        role: 'controller',
        name: 'c1',
        ...seen,
        buckets: 256,
        quarantined: [{ name: 't2', reason: 'nonsense', until: NOW + HOUR }],
      },
      { role: 'fetcher', name: 't1', ...seen, slots: 16, activeTasks: 3, completedTasks: 99, region: 'north' },
      { role: 'fetcher', name: 't2', ...seen, aheadMs: HOUR, slots: 16, activeTasks: 0, completedTasks: 7 },
    ]
    const { page, complaints } = await open('/dashboard', { fleetMembers })
    await page.getByRole('link', { name: 'Fleet' }).click()
    await page.getByRole('row', { name: /t1 north.*3 of 16.*99/ }).waitFor()
    await page.getByRole('row', { name: /t2.*Quarantined: nonsense.*1 hr ahead/ }).waitFor()
    await page.getByRole('row', { name: /c1.*schedules polls.*256 of 256/ }).waitFor()
    expect(complaints).toEqual([])
    const alone = await open('/dashboard')
    await alone.page.getByRole('term').getByText('Failing feeds').waitFor()
    expect(await alone.page.getByRole('link', { name: 'Fleet' }).count()).toBe(0)
  })

  test('a replay of too short a history says so, and what to do', async () => {
    const { page, complaints } = await open('/dashboard/lab')
    await page.getByRole('button', { name: 'Start the replay' }).click()
    await page
      .getByRole('alert')
      .getByText(/less than a day/)
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('creates the first account; afterwards everybody has to log in', async () => {
    const { page, store } = await open('/dashboard/users')
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Add the first account' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    expect((await store.allUsers()).map((user) => user.name)).toEqual(['ada'])
    await page.getByLabel('Program').fill('my phone')
    await page.getByRole('button', { name: 'Create a token' }).click()
    await page.getByText('It is only shown now').waitFor()
    await page.getByText('my phone').waitFor()
  })
})
