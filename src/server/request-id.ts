/** Every request has an id: whoever sent it may name one, and finds it in the answer, in the problem and in the log. */
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'

const HEADER = 'x-request-id'

export const requestIds: MiddlewareHandler = async (c, next) => {
  const given = c.req.header(HEADER)
  c.set('requestId', given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID())
  await next()
  c.res.headers.set(HEADER, requestIdOf(c) ?? '')
}

export function requestIdOf(c: Context): string | undefined {
  return c.get('requestId')
}
