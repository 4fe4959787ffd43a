/** Request ids: taken from the X-Request-ID header or generated, and returned in the response, in problems and in the log. */
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'

const HEADER = 'x-request-id'

export const requestIds: MiddlewareHandler = async (c, next) => {
  const requested = c.req.header(HEADER)
  c.set('requestId', requested !== undefined && /^[\w.:-]{1,64}$/.test(requested) ? requested : randomUUID())
  await next()
  c.res.headers.set(HEADER, requestIdOf(c) ?? '')
}

export function requestIdOf(c: Context): string | undefined {
  return c.get('requestId')
}
