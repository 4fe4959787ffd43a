/** Output of the sanitizer in a real browser: an independent HTML parser that also executes scripts. */
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { ALLOWED } from '../../src/articles/safe/allowed.ts'
import { ATTACKS } from '../../src/articles/safe/attacks.fixture.ts'
import { sanitizeHtml } from '../../src/articles/safe/sanitize.ts'
import { openBrowser } from './browser.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `the sanitiser (skipped: ${opened.missing})` : 'the sanitiser'

afterAll(() => browser?.close())

async function flawsOf(documents: (readonly [string, string])[]): Promise<string[]> {
  const page = await browser!.newPage()
  try {
    await page.route('**/*', (route) => route.abort())
    await page.addScriptTag({ path: fileURLToPath(new URL('find-unsafe-html.js', import.meta.url)) })
    return await page.evaluate(`findUnsafeHtml(${JSON.stringify({ documents, elements: [...ALLOWED.keys()] })})`)
  } finally {
    await page.close()
  }
}

describe.skipIf(!browser)(name, () => {
  test('removes every attack, however a page inserts the HTML', async () => {
    const safe = ATTACKS.map(([trick, html]) => [trick, sanitizeHtml(html, 'https://news.example/')] as const)
    expect(await flawsOf(safe)).toEqual([])
  })

  test('is necessary: without it the attacks succeed in the browser', async () => {
    const flaws = await flawsOf(ATTACKS.filter(([trick]) => trick.startsWith('an event')))
    expect(flaws.filter((flaw) => flaw.endsWith('it ran')).length).toBeGreaterThan(5)
  })
})
