/**
 * The HTTP client of the crawl: follows redirects, decodes bodies, and limits everything. It identifies itself, sends no cookies, referrer
 * or fragment, and only connects to public or explicitly allowed addresses.
 *
 * One file per concern: `target` (allowed addresses), `resolver` and `address-guard` (allowed machines), `connect`, `request`, `redirect`,
 * `body`, `large-body-slots` and `decode`. `lifetime` tells all of them when time is up.
 */
import { validateHeaderValue } from 'node:http'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { Exchange } from '../archive/exchange.ts'
import { type Instant, type Millis, mayShareCredentials, type WebAddress } from '../model/index.ts'
import type { Net, NetAnswer, NetPost, NetRedirect, NetRequest } from '../ports/index.ts'
import { createAddressGuard } from './address-guard.ts'
import { type BodyLimits, readResponseBody } from './body.ts'
import { createConnect, type Route } from './connect.ts'
import { ACCEPTED_ENCODINGS } from './decode.ts'
import { createLargeBodySlots } from './large-body-slots.ts'
import { beginLifetime, type Lifetime } from './lifetime.ts'
import { failureOf, NetError } from './net-error.ts'
import { createProxyChoice, type ProxySettings, parseUserProxy } from './proxy.ts'
import { isRedirect, redirectTarget } from './redirect.ts'
import { createRequester } from './request.ts'
import { createHostResolver } from './resolver.ts'
import type { ResponseHead } from './response-head.ts'
import { contentTypeOf, sentBodyOf } from './sent-body.ts'
import { basicAuthorization, hostnameOf, parseTarget, reportedAddress } from './target.ts'

export interface HttpNetOptions {
  /** Name, version and contact: `Freshet/1.0 (+https://example.org/crawler)`. */
  userAgent: string
  /** Private networks that are allowed: `127.0.0.0/8`, `::1/128`, those of an intranet. */
  allowNetworks?: string[]
  timeouts?: Partial<NetTimeouts>
  /** Limit of a body after decoding. */
  maxBytes?: number
  /** Limit of a body as transferred; by default at least `maxBytes`. */
  maxWireBytes?: number
  maxHeaderBytes?: number
  maxRedirects?: number
  proxy?: ProxySettings
  /** DNS servers to ask instead of the system's. */
  dnsServers?: string[]
  /** How long an idle connection is kept for the next request to the same server; 0: not at all. */
  keepAliveMs?: Millis
  /** Additional trusted certificates (PEM), for intranets. */
  certificateAuthorities?: string[]
  /** Called for every answered request, redirects included, before the response is returned; `body` is decoded. */
  onExchange?: (exchange: Exchange, body: Uint8Array) => Promise<void>
}

export interface NetTimeouts {
  /** Resolving, connecting and TLS handshake together. */
  connectMs: Millis
  /** From the request to the head of the response. */
  firstByteMs: Millis
  /** In total, including redirects and body. */
  totalMs: Millis
}

export const HTTP_NET_DEFAULTS = {
  timeouts: { connectMs: 10_000, firstByteMs: 20_000, totalMs: 60_000 },
  maxBytes: 10_000_000,
  maxHeaderBytes: 64_000,
  maxRedirects: 5,
  keepAliveMs: 5_000,
} satisfies Partial<HttpNetOptions>

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, ' +
  'text/html;q=0.8, application/json;q=0.8, */*;q=0.7'

export function createHttpNet(input: HttpNetOptions): Net {
  const options = { ...HTTP_NET_DEFAULTS, ...input }
  const maxWireBytes = input.maxWireBytes ?? Math.max(options.maxBytes, HTTP_NET_DEFAULTS.maxBytes)
  const timeouts = { ...HTTP_NET_DEFAULTS.timeouts, ...input.timeouts }
  validateHeaderValue('user-agent', options.userAgent)
  const lookup = createHostResolver(options.dnsServers)
  const proxyFor = createProxyChoice(options.proxy)
  const connect = createConnect({
    guard: createAddressGuard(options.allowNetworks ?? []),
    lookup,
    secureContext: createTrust(options.certificateAuthorities),
    connectMs: timeouts.connectMs,
  })
  const requester = createRequester({
    ...options,
    connect,
    firstByteMs: timeouts.firstByteMs,
    isTapped: options.onExchange !== undefined,
  })
  const largeBodies = createLargeBodySlots()
  const lifetimes = new Set<Lifetime>()

  function headersFor(
    url: URL,
    { headers = {}, subscribers = 0, userAgent }: NetRequest,
    { credentials, secretHeaders }: OriginSecrets,
  ) {
    return {
      host: url.host,
      accept: ACCEPT,
      ...(credentials && { authorization: basicAuthorization(credentials) }),
      ...sendable({ ...secretHeaders, ...headers }),
      'accept-encoding': ACCEPTED_ENCODINGS,
      'user-agent': userAgent ?? forSubscribers(options.userAgent, subscribers),
    }
  }

  async function follow(
    request: NetRequest | NetPost,
    limits: BodyLimits,
    lifetime: Lifetime,
    trail: RedirectTrail,
  ): Promise<NetAnswer> {
    const sentBody = sentBodyOf(request)
    const onExchange = sentBody ? undefined : options.onExchange // posted data contains secrets, and is not archived
    let url = parseTarget(request.url)
    const isElsewhere = request.named !== undefined && request.named !== request.url
    const named = request.named === null ? null : hostnameOf(isElsewhere ? parseTarget(request.named!) : url)
    let secrets: OriginSecrets = request
    const userProxy = request.proxy === undefined ? undefined : parseUserProxy(request.proxy)
    const trustedHost = request.acceptsInvalidCertificate ? url.hostname : undefined
    const routeTo = (to: URL): Route => ({
      named,
      proxy: userProxy ?? proxyFor(to),
      isUserProxy: userProxy !== undefined,
      acceptsInvalidCertificate: to.hostname === trustedHost,
    })
    const redirects: NetRedirect[] = []
    const visited = new Set([url.href])
    let via: URL | undefined
    for (;;) {
      trail.at = redirects.length > 0 ? reportedAddress(url) : undefined
      const headersSent = { ...headersFor(url, request, secrets), ...contentTypeOf(request) }
      const sent = { url, at: Date.now(), headers: withoutNames(headersSent, secrets.secretHeaders), via }
      const head = await requester.request(url, headersSent, lifetime, routeTo(url), sentBody)
      const { status, headers } = head
      if (!isRedirect(status, headers.location, sentBody !== undefined)) {
        if (request.shouldSkipBody?.(headers)) {
          head.body.destroy()
          return {
            ok: true,
            status,
            url: reportedAddress(url),
            redirects,
            headers,
            body: new Uint8Array(),
            wireBytes: 0,
          }
        }
        const wire: Uint8Array[] = []
        const tapped = onExchange ? { ...limits, onWire: (chunk: Uint8Array) => wire.push(chunk) } : limits
        const { isCut, ...read } = await readResponseBody(head, tapped, largeBodies, lifetime)
        await onExchange?.(exchangeOf(sent, head, Buffer.concat(wire), isCut), read.body)
        return { ok: true, status, url: reportedAddress(url), redirects, headers, ...read }
      }
      head.body.destroy()
      await onExchange?.(exchangeOf(sent, head, new Uint8Array(), true), new Uint8Array())
      const to = redirectTarget(url, headers.location)
      if (visited.has(to.href)) throw new NetError('redirects', 'redirect loop')
      if (redirects.length === options.maxRedirects)
        throw new NetError('redirects', `more than ${options.maxRedirects} redirects`)
      if (request.shouldFollow?.(reportedAddress(to)) === false) {
        const unread = { body: new Uint8Array(), wireBytes: 0 }
        return {
          ok: true,
          status,
          url: reportedAddress(url),
          redirects,
          headers,
          leadsTo: reportedAddress(to),
          ...unread,
        }
      }
      const forbidden = await request.checkRedirect?.(reportedAddress(to))
      if (forbidden) return { ok: false, failure: forbidden }
      const retryAfter = headers['retry-after']
      redirects.push({ status, to: reportedAddress(to), ...(retryAfter && { retryAfter }) })
      visited.add(to.href)
      if (!mayShareCredentials(url.href, to.href)) secrets = {}
      via = url
      url = to
    }
  }

  async function visit(request: NetRequest | NetPost): Promise<NetAnswer> {
    const lifetime = beginLifetime(timeouts.totalMs, request.signal, request.isLate)
    lifetimes.add(lifetime)
    const maxBytes = Math.min(options.maxBytes, request.maxBytes ?? Number.POSITIVE_INFINITY)
    const { enoughBytes = Number.POSITIVE_INFINITY } = request
    const limits = { maxBytes, maxWireBytes, enoughBytes }
    const trail: RedirectTrail = { at: undefined }
    try {
      return await follow(request, limits, lifetime, trail)
    } catch (error) {
      return { ok: false, failure: failureOf(error), ...(trail.at && { url: trail.at }) }
    } finally {
      lifetimes.delete(lifetime)
      lifetime.release()
    }
  }

  return {
    get: visit,
    post: visit,
    async close() {
      for (const lifetime of lifetimes) lifetime.end(new NetError('unreachable', 'the request was aborted'))
      requester.close()
      lookup.close()
    },
  }
}

/** What is sent only to the origin of the request. */
type OriginSecrets = Pick<NetRequest, 'credentials' | 'secretHeaders'>

function withoutNames(headers: Record<string, string>, names: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in names)))
}

/** `Freshet/1.0 (+https://example.org/crawler; 12 subscribers)`; without a count for requests such as robots.txt. */
function forSubscribers(userAgent: string, subscribers: number): string {
  if (subscribers < 1) return userAgent
  const count = subscribers === 1 ? '1 subscriber' : `${subscribers} subscribers`
  return userAgent.endsWith(')') ? `${userAgent.slice(0, -1)}; ${count})` : `${userAgent} (${count})`
}

/** Shared by all connections: creating it is the most expensive part of a handshake. */
function createTrust(authorities: string[] = []) {
  return authorities.length === 0
    ? createSecureContext()
    : createSecureContext({ ca: [...getCACertificates(), ...authorities] })
}

/** Validators may contain bytes that are not allowed in headers; those are not sent, and the full body comes. */
function sendable(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)))
}

/** How far redirects had led when an error occurred. */
interface RedirectTrail {
  at: WebAddress | undefined
}

interface Sent {
  url: URL
  at: Instant
  headers: Record<string, string>
  via: URL | undefined
}

function exchangeOf({ url, at, headers, via }: Sent, head: ResponseHead, body: Uint8Array, isCut: boolean): Exchange {
  const { address, ...received } = head.received()
  return {
    url: url.href,
    at,
    tookMs: Date.now() - at,
    ...(via && { via: via.href }),
    ...(address && { address }),
    request: { headers: Object.entries(headers) },
    response: { status: head.status, ...received, body, ...(isCut && { isCut }) },
  }
}
