/** Notifications on the page and in its service worker, in a real browser. The browser's push service is replaced. */
import { createECDH } from 'node:crypto'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../src/model/index.ts'
import type { Mail, Mailer, Net } from '../../src/ports/index.ts'
import type { ServerParts } from '../../src/server/index.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `notifications (skipped: ${opened.missing})` : 'notifications'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

const PUBLIC_URL = 'https://news.example'

/** What a push service would have given to the browser. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example/abc',
  keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
}

async function open(path: string, changes: Partial<ServerParts> = {}) {
  const posted: string[] = []
  const net: Net = {
    get: async () => ({ ok: false, failure: { kind: 'unreachable' } }),
    async post({ url }) {
      posted.push(url)
      const nothing = { redirects: [], headers: {}, body: new Uint8Array(), wireBytes: 0 }
      return { ok: true, status: 201, url: url as never, ...nothing }
    },
    close: async () => {},
  }
  const stage = createServerFixture({ net, pushContact: 'mailto:ada@example.org', publicUrl: PUBLIC_URL, ...changes })
  const titles = ['Ferry timetable', 'Fog']
  const entries = titles.map((title, i) => ({ title, agoMs: (i + 1) * HOUR }))
  await stage.addFeed({ url: 'https://harbor.example/feed', title: 'Harbor', entries })
  await stage.index()
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, { isUnguarded: true, keepsNews: true })
  toClose.push(shown.close)
  await shown.page.context().grantPermissions(['notifications'], { origin: new URL(server.url).origin })
  await shown.page.evaluate(`
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      window.subscribedWith = applicationServerKey
      return { toJSON: () => (${JSON.stringify(SUBSCRIPTION)}) }
    }
    Notification.requestPermission = async () => 'granted'`)
  return { ...shown, ...stage, posted, origin: new URL(server.url).origin }
}

/** Delivers a message to the service worker, as the browser does when one arrives from the push service. */
async function deliver(page: Page, origin: string, message: object): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registrationId = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const data = JSON.stringify(message)
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registrationId, data })
}

/** Chromium without a screen shows no notifications, so the worker's are recorded by their tag. A click is an event with the last one. */
const RECORD_NOTIFICATIONS = `
  self.shown = new Map()
  registration.showNotification = async (title, options) => void shown.set(options.tag, { title, ...options })
  Object.defineProperty(Event.prototype, 'notification', {
    get: () => ({ ...[...shown.values()].at(-1), close: () => shown.clear() }),
  })`

describe.skipIf(!browser)(name, () => {
  test('are turned on, tested and turned off on their page', async () => {
    const { page, posted, complaints } = await open('/dashboard/notifications')
    await page.getByText('No browser gets notifications yet.').waitFor()
    await page.getByRole('button', { name: 'Turn on in this browser' }).press('Enter')
    await page.getByText('this browser', { exact: true }).waitFor()
    expect(await page.evaluate('window.subscribedWith')).toMatch(/^[\w-]{87}$/)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/last notification/).waitFor()
    expect(posted).toEqual([SUBSCRIPTION.endpoint])
    await page.getByRole('button', { name: /^Remove / }).click()
    await page.getByText('No browser gets notifications yet.').waitFor()
    expect(complaints).toEqual([])
  })

  test('of a saved search are chosen with the bell above its results', async () => {
    const { page, store } = await open('/read/search?q=ferry')
    await page.getByRole('button', { name: /save this search/i }).click()
    await page.getByRole('button', { name: 'Notify me of new results' }).click()
    await page.getByText('Turn on notifications in a browser first').waitFor()
    await page.getByRole('button', { name: 'Stop notifying me of new results' }).waitFor()
    expect(await store.userValues(await store.firstUser(), 'searchNotification', { limit: 9 })).toHaveLength(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.goto(new URL('/dashboard/notifications', page.url()).href)
    await page.getByRole('checkbox', { name: 'ferry' }).uncheck()
    await expect
      .poll(async () => store.userValues(await store.firstUser(), 'searchNotification', { limit: 9 }))
      .toEqual([])
  })

  test('digests are chosen and previewed, and an address is confirmed by its link', async () => {
    const mails: Mail[] = []
    const mailer: Mailer = { send: async (mail) => ({ ok: (mails.push(mail) > 0) as true }) }
    const { page, store, origin, complaints } = await open('/dashboard/notifications', { mailer })
    await page.getByLabel('Address', { exact: true }).fill('ada@example.org')
    await page.getByRole('button', { name: 'Save address' }).click()
    await page.getByText('ada@example.org is not confirmed yet').waitFor()
    await page.getByLabel('How often').selectOption('weekly')
    await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('Saturday')
    await page.getByRole('combobox', { name: 'At', exact: true }).selectOption('18:00')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByRole('checkbox', { name: 'Send it to my e-mail address' }).check()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The next one is due').waitFor()
    const [settings] = await store.userValues(await store.firstUser(), 'digestSettings', { limit: 1 })
    expect(settings!.value).toMatchObject({
      every: 'week',
      weekday: 6,
      hour: 18,
      timeZone: 'Europe/Berlin',
      byEmail: true,
    })
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('* Ferry timetable').waitFor()
    const link = /https:\S+/.exec(mails[0]!.text)![0]
    await page.goto(link.replace('https://news.example', origin))
    await page.getByRole('button', { name: 'Confirm this address' }).press('Enter')
    await page.getByText('The address is confirmed.').waitFor()
    await page.goto(`${origin}/dashboard/notifications`)
    await page.getByText('ada@example.org is confirmed.').waitFor()
    expect(complaints).toEqual([])
  })

  test('are shown by the service worker, replace those with the same tag, and open their entry', async () => {
    const { page, origin, store } = await open('/read/all')
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    const { id } = (await store.listEntries({ limit: 9 })).entries.find(({ title }) => title === 'Ferry timetable')!
    const message = { title: 'Ferry timetable', body: 'Harbor · ferries', url: `/read/all?e=${id}`, tag: `entry-${id}` }
    const worker = page.context().serviceWorkers()[0]!
    await worker.evaluate(RECORD_NOTIFICATIONS)
    await deliver(page, origin, message)
    await deliver(page, origin, message)
    const { url: _url, ...shown } = message
    await expect.poll(() => worker.evaluate('[...shown.values()]')).toMatchObject([shown])
    await worker.evaluate(`dispatchEvent(new ExtendableEvent('notificationclick'))`)
    await page.getByRole('heading', { level: 1, name: 'Ferry timetable' }).waitFor()
    expect(await worker.evaluate('shown.size')).toBe(0)
  })
})
