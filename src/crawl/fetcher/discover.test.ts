/** Which feed is chosen when a page declares one of another domain. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { HOUR } from '../../model/index.ts'
import type { Net, NetAnswer } from '../../ports/index.ts'
import { createThread } from '../../runtime/index.ts'
import { discover } from './discover.ts'
import { createDocumentReader } from './large-documents.ts'
import { READER_MODULE, type ReadDocument } from './read-document.ts'

const HOME = 'https://tides.example/'
const COPY = 'https://platform.example/feed/tides'
const feedOf = (host: string) =>
  `<rss version="2.0"><channel><title>Tides</title><item><title>Low</title><link>${host}low</link></item></channel></rss>`
const PAGE = `<!doctype html><title>Tides</title><link rel="alternate" type="application/rss+xml" href="${COPY}">`

async function found(site: Record<string, string>, read?: ReadDocument) {
  const requested: string[] = []
  const net: Net = {
    async get({ url }): Promise<NetAnswer> {
      requested.push(url)
      const status = url in site ? 200 : 404
      const body = Buffer.from(new TextEncoder().encode(site[url] ?? '').buffer)
      return { ok: true, status, url: address(url), redirects: [], headers: {}, body, wireBytes: 1 }
    },
    post: () => Promise.reject(new Error('unexpected POST')),
    close: async () => {},
  }
  const clock = createSteppedClock(Date.UTC(2026, 0, 5))
  const discovery = discover(
    { url: address(HOME), gapMs: 0 },
    { net, clock, obeyRobots: 'guesses', ...(read && { read }) },
    AbortSignal.timeout(1e6),
  )
  let isDone = false
  discovery.finally(() => (isDone = true))
  // A thread does not follow the stepped clock.
  while (!isDone) {
    await clock.advance(HOUR)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const { feeds } = await discovery
  return { feeds: feeds.map(({ url }) => url), requested: requested.filter((url) => !url.endsWith('/robots.txt')) }
}

it("prefers a site's own feed to the copy on a platform that its page declares", async () => {
  const { feeds } = await found({ [HOME]: PAGE, [COPY]: feedOf(HOME), [`${HOME}feed/`]: feedOf(HOME) })
  expect(feeds).toEqual([`${HOME}feed/`, COPY])
})

it('chooses the copy after two probes if the site has no feed of its own', async () => {
  const { feeds, requested } = await found({ [HOME]: PAGE, [COPY]: feedOf(HOME) })
  expect(feeds).toEqual([COPY])
  expect(requested).toEqual([HOME, COPY, `${HOME}feed/`, `${HOME}rss/`])
})

it('makes no probes if the page declares a feed of its own site', async () => {
  const page = PAGE.replace(COPY, '/own.xml')
  const { feeds, requested } = await found({ [HOME]: page, [`${HOME}own.xml`]: feedOf(HOME) })
  expect([feeds, requested]).toEqual([[`${HOME}own.xml`], [HOME, `${HOME}own.xml`]])
})

it('finds the links of a page of half a megabyte, which a thread reads first', async () => {
  const thread = createThread({ module: READER_MODULE })
  const { read } = createDocumentReader({ thread })
  const page = `${PAGE.replace(COPY, '/own.xml')}${'<p>The tide is out.</p>'.repeat(25_000)}`
  const { feeds } = await found({ [HOME]: page, [`${HOME}own.xml`]: feedOf(HOME) }, read)
  await thread.close()
  expect([page.length >= 500_000, feeds]).toEqual([true, [`${HOME}own.xml`]])
})
