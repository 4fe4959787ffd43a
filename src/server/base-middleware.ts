/**
 * Middleware of all requests, including health checks: security headers, and the check of the Host header (see browser-security.ts for the
 * reasons). Must not import the API operations, which take long to load.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { Users } from '../ports/index.ts'
import { Problem } from './problem.ts'

const HEADERS = {
  'content-security-policy':
    "default-src 'self'; media-src 'self' http: https:; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html freshet-sanitised freshet-worker",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Content that publishers hide from search engines must not reach them through this server.
  'x-robots-tag': 'noindex, noarchive',
}

/** `proxyMedia`: audio and video come from this server only. */
export function securityHeaders({ proxyMedia = false }: { proxyMedia?: boolean | undefined }): MiddlewareHandler {
  const policy = HEADERS['content-security-policy']
  const headers = {
    ...HEADERS,
    'content-security-policy': proxyMedia ? policy.replace(' http: https:;', ';') : policy,
  }
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  }
}

/**
 * Without login, rejects all Host names except those of this machine. A server on other addresses was made reachable by its operator, under
 * any name. With accounts, or while the first one is required, a rebound page has no session, so any name is accepted.
 */
export function rejectForeignHosts(
  boundTo: string,
  isOpen: boolean,
  users: Pick<Users, 'allUsers'>,
  isClosed: () => boolean,
): MiddlewareHandler {
  const isGuarded = async () => (isOpen ? isLoopback(boundTo) : !isClosed() && (await users.allUsers()).length === 0)
  return async (c, next) => {
    if (!isLoopback(requestedHost(c).replace(/:\d{1,5}$/, '')) && (await isGuarded())) {
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

/** The host of the request's URL if there is no Host header, as in tests without a socket. */
export function requestedHost(c: Context): string {
  return (c.req.header('host') ?? new URL(c.req.url).host).toLowerCase()
}
