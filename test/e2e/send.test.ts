/** Sending entries to another service on the page, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createSendEntry } from '../../src/destinations/index.ts'
import { HOUR } from '../../src/model/index.ts'
import { createHttpNet } from '../../src/net/index.ts'
import { rolesOf } from '../../src/ports/index.ts'
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

async function open(path: string) {
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'] })
  toClose.push(() => net.close())
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
})
