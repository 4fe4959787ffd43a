/** Settings for fetching one feed on the page, in a real browser. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../src/model/index.ts'
import { rawPage, readArticle, want } from '../../src/ports/article-samples.contract.ts'
import { createServerFixture, NOW } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `settings for fetching (skipped: ${opened.missing})` : 'settings for fetching'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

const SENTENCE = 'The ferry sails at dawn and returns with the tide, as it always did in these waters. '
const PAGE = `<!doctype html><title>Ferries</title><article><p>${SENTENCE.repeat(9)}</p></article>
  <div class="notes"><p>Bring a coat. <span class="ad">Buy boats!</span></p></div>`

async function open() {
  const stage = createServerFixture()
  const id = await stage.addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    entries: [{ title: 'Ferry timetable', agoMs: HOUR, url: 'https://harbor.example/1' }],
  })
  const [entry] = await stage.store.entries({ feedId: id, limit: 1 })
  await stage.store.queueArticles([want(entry!.id, 'harbor', '1')], NOW)
  const [leased] = await stage.store.leaseDueArticles(NOW, 1, NOW + HOUR)
  const page = { ...rawPage(NOW, ''), body: Buffer.from(PAGE) }
  await stage.store.recordArticles([readArticle(leased!.id, NOW, { page, pageUrl: 'https://harbor.example/1' })])
  const server = await stage.listen(0)
  toClose.push(server.close)
  const shown = await openPage(browser!, `${server.url}/dashboard/feeds/${id}`, { isUnguarded: true })
  toClose.push(shown.close)
  return { ...shown, ...stage, id }
}

describe.skipIf(!browser)(name, () => {
  test('extraction rules are previewed before all settings are saved, and secrets are not shown again', async () => {
    const { page, complaints, store, id } = await open()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Fetching' }).waitFor()
    await page.getByLabel('Elements with the text').fill('p:first-child')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('cannot be used here').waitFor()
    await page.getByLabel('Elements with the text').fill('.notes')
    await page.getByLabel('Elements to remove').fill('.ad')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Matching elements: 1 with text, 1 removed.').waitFor()
    expect(await page.locator('.preview .prose').innerText()).toBe('Bring a coat.')
    await page.getByLabel('Cookies', { exact: true }).fill('session=abc')
    await page.getByLabel('New request header').fill('X-Key')
    await page.getByLabel('Its value').fill('k1')
    await page.getByLabel('Accept an invalid certificate').check()
    await page.getByText('An address that contains {url}').waitFor()
    await page.getByText('Anyone between Freshet and the server').waitFor()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByLabel('Find', { exact: true }).fill('^Ad: ')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save fetching settings' }).click()
    await page.getByText('Saved. The feed is polled again').waitFor()
    expect((await store.feedsById([id]))[0]!.feed.fetching).toEqual({
      headers: { 'x-key': 'k1' },
      cookies: 'session=abc',
      acceptsInvalidCertificate: true,
      extraction: { content: '.notes', remove: '.ad' },
      rewrites: [{ part: 'title', find: '^Ad: ', replace: '' }],
      byAdmin: true,
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Remove the header x-key').check()
    await page.getByLabel('Remove the cookies').check()
    expect(await page.content()).not.toMatch(/session=abc|k1/)
    await page.getByRole('button', { name: 'Save fetching settings' }).click()
    await expect
      .poll(async () => Object.keys((await store.feedsById([id]))[0]!.feed.fetching!))
      .toEqual(['acceptsInvalidCertificate', 'extraction', 'rewrites', 'byAdmin'])
    expect(complaints).toEqual([])
  })
})
