/**
 * Protection against requests that other sites make a browser send. Without accounts, the address that the server is bound to is its only
 * protection, and a browser on the machine can reach it for any site; with accounts, the browser sends the session along:
 *
 * - DNS rebinding, a foreign name that resolves to 127.0.0.1, is detected by the Host header (base-middleware.ts);
 * - CSRF, a form or fetch of another site, cannot set `content-type: application/json` without a preflight request, which is not
 *   answered, and the browser names the site in Origin and Sec-Fetch-Site; GET changes nothing;
 * - if the text of a feed ever reached the page as markup, the content security policy would keep its scripts from running.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { requestedHost } from './base-middleware.ts'
import { Problem } from './problem.ts'
import { requestedOperation } from './validation.ts'

/** Forms cannot send these content types either. */
export const OPML_TYPES: ReadonlySet<string> = new Set(['text/x-opml', 'text/xml', 'application/xml'])

/** Content types of files, by path. */
const OTHER_TYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['/api/v1/opml', OPML_TYPES],
  ['/api/v1/import', new Set(['application/octet-stream'])],
])

export const rejectCrossSiteWrites: MiddlewareHandler = async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  // A GET that needs the write scope, such as visiting a site, has effects too.
  if (isRead && !['write', 'admin'].includes(requestedOperation(c)?.['x-scope'] ?? 'read')) return next()
  if (isCrossSite(c)) {
    throw new Problem(
      403,
      'the request comes from another site',
      'only the page of this server, or a program, can change data',
    )
  }
  if (isRead) return next()
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  const otherTypes = OTHER_TYPES.get(c.req.path)
  if (type !== 'application/json' && !otherTypes?.has(type ?? '')) {
    throw new Problem(415, 'requests that change data must be JSON', 'send the header content-type: application/json')
  }
  await next()
}

/** Sec-Fetch-Site of requests by our own page, or typed by the user. Another port of the same machine is `same-site`. */
const OWN_FETCH_SITES = new Set(['same-origin', 'none'])

/** Whether a browser sent the request for another site. Other programs send neither header. */
export function isCrossSite(c: Context): boolean {
  const [origin, fetchSite] = [c.req.header('origin'), c.req.header('sec-fetch-site')]
  if (origin !== undefined && hostOfOrigin(origin) !== requestedHost(c)) return true
  return fetchSite !== undefined && !OWN_FETCH_SITES.has(fetchSite.toLowerCase())
}

function hostOfOrigin(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
