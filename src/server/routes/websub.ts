/**
 * `/websub/<token>`: where hubs come in. The only address that is meant to be reached from outside, so it stands before the
 * guards of the others: what protects it is that nobody can guess it, and that what comes is signed. Whether somebody is
 * expected is asked before a body is read, and a body is read no further than the crawl wants it.
 */
import { type Context, Hono } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

const TOKEN = '/:token{[A-Za-z0-9_-]{16,128}}'
const COME_AGAIN = { 'retry-after': '60' }

export function websubRoutes({ crawler, maxPushBytes = 10_000_000 }: ServerParts): Hono {
  const app = new Hono()
  app.get(TOKEN, async (c) => {
    const { status, body } = (await crawler.pushReceiver?.confirm(c.req.param('token'), c.req.query())) ?? {
      status: 404,
    }
    return c.text(body ?? '', status)
  })

  app.post(TOKEN, async (c) => {
    const body = incoming(c.req.raw.body, declaredIn(c), maxPushBytes)
    const brought = { headers: c.req.header(), ...body }
    const { status } = (await crawler.pushReceiver?.receive(c.req.param('token'), brought)) ?? { status: 404 }
    if (!body.isWhole()) c.header('connection', 'close') // what is still to come shall not
    return c.body(null, status, status === 503 ? COME_AGAIN : {})
  })
  return app
}

function declaredIn(c: Context): { declaredBytes?: number } {
  const length = c.req.header('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? { declaredBytes: Number(length) } : {}
}

/** The body within its bound. It is not cancelled when nobody wants more of it: that would take the answer along. */
function incoming(body: ReadableStream<Uint8Array> | null, declared: { declaredBytes?: number }, mostBytes: number) {
  let isWhole = body === null
  const tooLarge = () => new Problem(413, 'the document is too large', `the limit is ${mostBytes} bytes`)
  async function* chunks(): AsyncIterable<Uint8Array> {
    if (!body) return
    if ((declared.declaredBytes ?? 0) > mostBytes) throw tooLarge()
    const reader = body.getReader()
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read().catch(() => {
        throw new Problem(400, 'the document is incomplete', 'send it again')
      })
      if (done) break
      bytes += value.length
      if (bytes > mostBytes) throw tooLarge()
      yield value
    }
    isWhole = true
  }
  return { ...declared, chunks, isWhole: () => isWhole }
}
