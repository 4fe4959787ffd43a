/** Serves feeds of 20 entries, one for every requested host, in a process of its own; sends its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProse } from '../generated-prose.ts'

const ETAG = '"1"'

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === ETAG) return response.writeHead(304, { etag: ETAG }).end()
  const body = feedOf(request.headers.host ?? '')
  const headers = { etag: ETAG, 'content-type': 'application/rss+xml', 'content-length': body.length }
  response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())

const START = Date.now()

/**
 * Every feed is different, except that one entry in eight is an agency's, which ten feeds share. The texts are as long as news summaries.
 * The busiest feeds publish every hour, the quietest every six days.
 */
function feedOf(host: string): Buffer {
  const number = Number.parseInt(host.slice(1), 10)
  const [own, agency] = [createProse(number), createProse(-1 - Math.floor(number / 10))]
  const gapMs = 3_600_000 * 144 ** own.chance()
  const items = Array.from({ length: 20 }, (_, i) => {
    const url = `http://${host}/2026/${i}-a-goose-was-seen-near-the-weir`
    const { words } = i % 8 === 7 ? agency : own
    const date = new Date(START - i * gapMs).toUTCString()
    return `<item><title>${words(9)}</title><link>${url}</link><guid>${url}</guid><pubDate>${date}</pubDate>
<description>${words(20)}. ${words(25)}. ${words(15)}.</description></item>`
  })
  return Buffer.from(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>${host}</title>${items.join('\n')}</channel></rss>`,
  )
}
