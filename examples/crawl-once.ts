/**
 * Uses the crawler as a library: adds one address, crawls once, and prints the entries. Run it with an address of your own:
 *
 *   node examples/crawl-once.ts https://example.org
 *
 * Outside this repository, import from 'freshet-crawler'.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfig, openCrawl } from '../src/library/index.ts'

const [address, ...allowNetworks] = process.argv.slice(2)
if (!address) {
  console.error('give an address: node examples/crawl-once.ts https://example.org')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'freshet-example-'))
// Without fetching article pages the example takes a second.
const config = { ...defaultConfig(), store: join(folder, 'news.db'), allowNetworks, articles: 'never' as const }
const crawl = await openCrawl(config)

crawl.crawler.onEvent((event) => {
  if (event.kind === 'found') console.log(`${event.title}: ${event.feedUrl}`)
  if (event.kind === 'not-found') console.log(`no feed at ${event.url}`)
})
await crawl.crawler.subscribe([{ url: address, kind: 'any' }])
await crawl.crawler.runOnce(AbortSignal.timeout(60_000))
for await (const entry of crawl.store.everyEntry({})) console.log(`- ${entry.title}`)

await crawl.close()
rmSync(folder, { recursive: true })
