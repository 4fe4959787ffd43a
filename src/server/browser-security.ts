/**
 * What a browser may carry here. Without accounts the address that the server is bound to is all that protects it, and a browser
 * is the one program that carries strangers' requests to such an address; with accounts it carries its session along:
 *
 * - a page whose name was made to point at 127.0.0.1 (DNS rebinding) gives itself away by the Host header;
 * - a page elsewhere that sends a form or a fetch (CSRF) cannot set `content-type: application/json` without asking first,
 *   which nobody answers, and its browser names it in Origin and Sec-Fetch-Site; and nothing is changed by GET;
 * - and if a feed's text should ever reach the page as markup, the content security policy lets none of it run.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { hostAsked } from './entrance.ts'
import { Problem } from './problem.ts'
import { requestedOperation } from './validation.ts'

/** A form of another site cannot send these, either. */
export const OPML_TYPES: ReadonlySet<string> = new Set(['text/x-opml', 'text/xml', 'application/xml'])

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
  if (type !== 'application/json' && !(c.req.path === '/api/v1/opml' && OPML_TYPES.has(type ?? ''))) {
    throw new Problem(415, 'requests that change data must be JSON', 'send the header content-type: application/json')
  }
  await next()
}

/** What a browser says of a request that our own page sends, or its user by hand. Another port of the same machine is `same-site`. */
const OWN_FETCH_SITES = new Set(['same-origin', 'none'])

/** Whether a browser sent it for a page of somebody else. Programs send neither header. */
export function isCrossSite(c: Context): boolean {
  const [origin, site] = [c.req.header('origin'), c.req.header('sec-fetch-site')]
  if (origin !== undefined && hostOfOrigin(origin) !== hostAsked(c)) return true
  return site !== undefined && !OWN_FETCH_SITES.has(site.toLowerCase())
}

function hostOfOrigin(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
