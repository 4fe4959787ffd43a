/**
 * What every request passes first, health checks among them: headers for browsers, and no names of others for this machine (browser-security.ts says
 * against what). Nothing here needs the descriptions of operations, which take long to load.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { People } from '../ports/index.ts'
import { Problem } from './problem.ts'

const HEADERS = {
  'content-security-policy':
    "default-src 'self'; media-src http: https:; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html freshet-sanitised freshet-worker",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // What publishers keep from search engines must not reach them through us, wherever somebody puts this page.
  'x-robots-tag': 'noindex, noarchive',
}

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
}

/**
 * While nobody has to log in, only names that mean this machine. Elsewhere the operator chose to be reachable, by whatever name, and
 * said so; and once there are accounts, or only the first can be
 * made, a page that was made to point here has no session.
 */
export function rejectForeignHosts(
  boundTo: string,
  isOpen: boolean,
  people: Pick<People, 'people'>,
  isClosed: () => boolean,
): MiddlewareHandler {
  const isGuarded = async () => (isOpen ? isLoopback(boundTo) : !isClosed() && (await people.people()).length === 0)
  return async (c, next) => {
    if (!isLoopback(hostAsked(c).replace(/:\d{1,5}$/, '')) && (await isGuarded())) {
      throw new Problem(
        421,
        'this server only answers to local host names',
        'open it as http://localhost with its port',
      )
    }
    await next()
  }
}

function isLoopback(name: string): boolean {
  return /^(localhost\.?|.+\.localhost\.?|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)
}

/** Without a Host header, as in a test that asks without a socket, the request's address says it. */
export function hostAsked(c: Context): string {
  return (c.req.header('host') ?? new URL(c.req.url).host).toLowerCase()
}
