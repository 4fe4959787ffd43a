/**
 * What a request brings along, read within a bound before anybody else looks at it: in one piece or in chunks, or not at all,
 * which is no mistake of anybody where nothing is needed.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from './problem.ts'

const MOST_BYTES = 64 * 1024
/** Ten thousand ids of entries, however long a feed reader writes them. */
const MOST_ID_BYTES = 1024 * 1024
/** An OPML file of some 300,000 feeds. */
const MOST_OPML_BYTES = 64 * 1024 * 1024

/** One that is announced as too large is refused before it is read. */
export const boundedBodies: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req
  if (raw.method !== 'GET' && raw.method !== 'HEAD' && raw.body) {
    const mostBytes = mostBytesFor(c)
    if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes)
    const body = await readRequestBody(raw.body, mostBytes)
    c.set('bodyBytes', body.length)
    c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body })
  }
  await next()
}

async function readRequestBody(body: ReadableStream<Uint8Array>, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > mostBytes) throw tooLarge(mostBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(400, 'the body broke off', 'send it again')
  }
  return Buffer.concat(chunks)
}

function mostBytesFor(c: Context): number {
  if (LISTS_OF_FEEDS.has(c.req.path)) return MOST_OPML_BYTES
  return LISTS_OF_IDS.test(c.req.path) ? MOST_ID_BYTES : MOST_BYTES
}

const LISTS_OF_FEEDS = new Set(['/api/v1/feeds', '/api/v1/subscriptions', '/v1/import'])
/** Of our API, of Google Reader's and of Miniflux's. */
const LISTS_OF_IDS = /^\/api\/v1\/reading\/|\/reader\/api\/0\/(edit-tag|stream\/items\/contents)$|\/v1\/entries$/

function tooLarge(mostBytes: number): Problem {
  return new Problem(413, 'the body is too large', `at most ${Math.floor(mostBytes / 1024)} KB are taken here`)
}
