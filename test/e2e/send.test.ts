/** Sending entries to another service on the page, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createSendEntry, PRESETS } from '../../src/destinations/index.ts'
import { HOUR } from '../../src/model/index.ts'
import { createHttpNet } from '../../src/net/index.ts'
import { type Net, rolesOf } from '../../src/ports/index.ts'
import { createSendRunner } from '../../src/webhooks/index.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `send to (skipped: ${opened.missing})` : 'send to'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

/** A service that answers with the given statuses, then 201. */
async function startService(statuses: number[]) {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push(`${request.headers.authorization} ${(JSON.parse(body) as { title: string }).title}`)
    response.writeHead(statuses.shift() ?? 201).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(async () => server.close())
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Whatever a service answers when it has accepted an entry. */
const ACCEPTED = { ok: true, result: true, result_code: 'done', status: 1, access_token: 'at', token: 'at' }

/** A server that stands in for all services, and a net that sends their requests there. */
async function startAllServices() {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    received.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ACCEPTED))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(async () => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirect = (net: Net): Net => ({
    ...net,
    post: (request) => {
      const { pathname, search } = new URL(request.url)
      return net.post({ ...request, url: origin + pathname + search })
    },
    get: (request) => {
      const { pathname, search } = new URL(request.url)
      return net.get({ ...request, url: origin + pathname + search })
    },
  })
  return { received, origin, redirect }
}

async function open(path: string, redirect = (net: Net): Net => net) {
  const http = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'] })
  toClose.push(() => http.close())
  const net = redirect(http)
  const sendEntry = createSendEntry({ net, now: () => NOW })
  const stage = createServerFixture({
    sending: {
      sendEntry,
      hasFolder: false,
      onQueued: () =>
        createSendRunner({
          ...rolesOf(stage.store),
          search: stage.search,
          clock: stage.clock,
          random: () => 0,
          sendEntry,
        }).runOnce(),
    },
  })
  await stage.addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    entries: ['Ferry timetable', 'Fog'].map((title, i) => ({
      title,
      agoMs: (i + 1) * HOUR,
      url: `https://harbor.example/${i}`,
    })),
  })
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, server.url + path, { isUnguarded: true })
  toClose.push(shown.close)
  return shown
}

describe.skipIf(!browser)(name, () => {
  test('a destination is added, tested and used with the keyboard, and a failure is tried again', async () => {
    const { received, origin } = await startService([201, 401])
    const { page, complaints } = await open('/dashboard/integrations')
    await page.getByLabel('Service').selectOption('Linkding')
    await page.getByRole('region', { name: 'Send to' }).getByLabel('Name').fill('Links')
    await page.getByLabel('Address of the server').fill(origin)
    await page.getByLabel('API token').fill('s3cret')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Test Links' }).click()
    await page.getByText('Links accepted a test entry').waitFor()

    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Ferry timetable' }).waitFor()
    await page.keyboard.press('?')
    await page.getByText('send to another service').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await page.getByRole('option', { name: 'Links' }).waitFor()
    await page.getByRole('option', { name: 'E-mail' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.type('lin')
    await page.keyboard.press('Enter')
    await page.getByText('Not sent to Links: the server answered 401').waitFor()

    await page.goto(new URL('/dashboard/integrations', page.url()).href)
    await page.getByRole('button', { name: 'Try again: Ferry timetable' }).click()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page
      .getByRole('list', { name: /^Waiting, failed/ })
      .getByText('sent', { exact: true })
      .waitFor()
    expect(received).toEqual(
      ['Test from Freshet', 'Ferry timetable', 'Ferry timetable'].map((title) => `Token s3cret ${title}`),
    )
    expect(await page.content()).not.toContain('s3cret')
    expect(complaints).toEqual([])
  })

  test('each service is added on the page and accepts a test entry', async () => {
    const { received, origin, redirect } = await startAllServices()
    const { page, complaints } = await open('/dashboard/integrations', redirect)
    const card = page.getByRole('region', { name: 'Send to' })
    for (const { id, fields } of PRESETS) {
      await page.getByLabel('Service').selectOption(id)
      await card.getByLabel('Name', { exact: true }).fill(`my ${id}`)
      for (const { label, kind, choices, isOptional } of fields) {
        const field = card.getByLabel(label, { exact: !choices }) // the label of a select contains its options
        if (kind === 'address') await field.fill(`${origin}/${id}`)
        else if (choices) await field.selectOption(choices[0]!)
        else if (!isOptional) await field.fill('1234')
      }
      await card.getByRole('button', { name: 'Add', exact: true }).click()
      const before = received.length
      await card.getByRole('button', { name: `Test my ${id}`, exact: true }).click()
      await page.getByText(`my ${id} accepted a test entry`).waitFor()
      expect(received.length, id).toBeGreaterThan(before)
    }
    expect(PRESETS.length).toBeGreaterThanOrEqual(19)
    expect(complaints).toEqual([])
  })
})
