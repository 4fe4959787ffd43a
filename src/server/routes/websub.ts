/**
 * `/websub/<token>`: where hubs come in. The only address that is meant to be reached from outside, so it stands before the
 * guards of the others: what protects it is that nobody can guess it, and that what comes is signed. Whether somebody is
 * expected is asked before a body is read.
 */
import { Hono } from 'hono'
import { readBody } from '../body.ts'
import type { ServerParts } from '../server.ts'

const TOKEN = '/:token{[A-Za-z0-9_-]{16,128}}'
const COME_AGAIN = { 'retry-after': '60' }

export function websubRoutes({ crawler, maxPushBytes = 10_000_000 }: ServerParts): Hono {
  const app = new Hono()
  app.get(TOKEN, async (c) => {
    const { status, body } = (await crawler.pushDoor?.confirm(c.req.param('token'), c.req.query())) ?? { status: 404 }
    return c.text(body ?? '', status)
  })

  app.post(TOKEN, async (c) => {
    const brought = { headers: c.req.header(), read: () => readBody(c.req.raw.body, maxPushBytes) }
    const { status } = (await crawler.pushDoor?.receive(c.req.param('token'), brought)) ?? { status: 404 }
    return c.body(null, status, status === 503 ? COME_AGAIN : {})
  })
  return app
}
