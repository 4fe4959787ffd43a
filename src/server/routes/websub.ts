/**
 * `/websub/<token>`: callbacks of WebSub hubs. These addresses are meant to be reached from outside, so they come before authentication and
 * the Host check: the token is secret and pushes are signed. The token is checked before the body is read, and the body is only read as far
 * as the crawl needs it.
 */
import { type Context, Hono } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

const TOKEN = '/:token{[A-Za-z0-9_-]{16,128}}'
const RETRY_LATER = { 'retry-after': '60' }

export function websubRoutes({ crawler, maxPushBytes = 10_000_000 }: ServerParts): Hono {
  const app = new Hono()
  app.get(TOKEN, async (c) => {
    const { status, body } = (await crawler.pushReceiver?.confirm(c.req.param('token'), c.req.query())) ?? {
      status: 404,
    }
    return c.text(body ?? '', status)
  })

  app.post(TOKEN, async (c) => {
    const body = limitedBody(c.req.raw.body, declaredLengthOf(c), maxPushBytes)
    const push = { headers: c.req.header(), ...body }
    const { status } = (await crawler.pushReceiver?.receive(c.req.param('token'), push)) ?? { status: 404 }
    if (!body.isWhole()) c.header('connection', 'close') // the rest of the body is not read
    return c.body(null, status, status === 503 ? RETRY_LATER : {})
  })
  return app
}

function declaredLengthOf(c: Context): { declaredBytes?: number } {
  const length = c.req.header('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? { declaredBytes: Number(length) } : {}
}

/** The body within a size limit. It is not cancelled if the rest is not needed: that would close the connection before the response is sent. */
function limitedBody(
  body: ReadableStream<Uint8Array> | null,
  declaredLength: { declaredBytes?: number },
  maxBytes: number,
) {
  let isWhole = body === null
  const tooLarge = () => new Problem(413, 'the document is too large', `the limit is ${maxBytes} bytes`)
  async function* chunks(): AsyncIterable<Uint8Array> {
    if (!body) return
    if ((declaredLength.declaredBytes ?? 0) > maxBytes) throw tooLarge()
    const reader = body.getReader()
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read().catch(() => {
        throw new Problem(400, 'the document is incomplete', 'send it again')
      })
      if (done) break
      bytes += value.length
      if (bytes > maxBytes) throw tooLarge()
      yield value
    }
    isWhole = true
  }
  return { ...declaredLength, chunks, isWhole: () => isWhole }
}
