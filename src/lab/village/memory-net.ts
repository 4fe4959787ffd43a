/**
 * A Net that returns the village's responses without sockets: every response, including timeouts, is immediate, so
 * months take seconds on a stepped clock. Nothing is compressed; the limits are the defaults of the real driver.
 */
import {
  type Failure,
  type FeedCredentials,
  mayShareCredentials,
  type WebAddress,
  webAddress,
} from '../../model/index.ts'
import type { Net, NetAnswer, NetRedirect, NetRequest } from '../../ports/index.ts'
import type { Reply, VillageRequest } from './reply.ts'
import type { Manner } from './spec.ts'

const MAX_REDIRECTS = 5
const MAX_BYTES = 10_000_000

export function createMemoryNet(visit: (request: VillageRequest) => Reply | undefined): Net {
  return {
    get: (request) => answerOf(request, visit),
    post: (request) => answerOf(request, visit),
    close: async () => {},
  }
}

async function answerOf(
  {
    url,
    headers = {},
    credentials,
    secretHeaders,
    userAgent,
    form,
    maxBytes = MAX_BYTES,
    enoughBytes = Number.POSITIVE_INFINITY,
    shouldFollow,
    checkRedirect,
    shouldSkipBody,
    signal,
  }: NetRequest & { form?: Record<string, string> },
  visit: (request: VillageRequest) => Reply | undefined,
): Promise<NetAnswer> {
  const { 'accept-encoding': _, ...sent } = headers
  const most = Math.min(maxBytes, MAX_BYTES)
  const redirects: NetRedirect[] = []
  const sending = form ? { method: 'POST', body: new URLSearchParams(form).toString() } : { method: 'GET' }
  let secrets = { ...secretHeaders, ...(credentials && { authorization: basic(credentials) }) }
  for (let here = webAddress(url); ; ) {
    if (here === undefined) return failed('unreachable', 'not a valid address')
    if (signal?.aborted) return failed('unreachable', 'aborted')
    const away = redirects.length > 0 ? { url: here } : {}
    const agent = userAgent === undefined ? {} : { 'user-agent': userAgent }
    const reply = visit({ ...sending, url: here, headers: { ...agent, ...secrets, ...sent } })
    if (!reply) return { ...failed('unreachable', 'no such host'), ...away }
    const failure = FAILURES[reply.manner]
    if (failure) return { ok: false, failure, ...away }

    const to = (form ? REPEATS : REDIRECTS).has(reply.status) ? targetOf(reply, here) : undefined
    if (to === undefined) {
      if (shouldSkipBody?.(reply.headers))
        return {
          ok: true,
          status: reply.status,
          url: here,
          redirects,
          headers: reply.headers,
          body: new Uint8Array(),
          wireBytes: 0,
        }
      // UTF-8 never shortens a string, so an overlong one need not be encoded.
      if (reply.body.length > most && enoughBytes > most) return { ...failed('too-large'), ...away }
      const whole = typeof reply.body === 'string' ? new TextEncoder().encode(reply.body) : reply.body
      const body = whole.subarray(0, enoughBytes)
      if (body.length > most) return { ...failed('too-large'), ...away }
      const { status, headers } = reply
      return { ok: true, status, url: here, redirects, headers, body, wireBytes: body.length }
    }
    if (redirects.length === MAX_REDIRECTS) return failed('redirects', `more than ${MAX_REDIRECTS} of them`)
    if (shouldFollow?.(to) === false) {
      const { status, headers } = reply
      return { ok: true, status, url: here, redirects, headers, leadsTo: to, body: new Uint8Array(), wireBytes: 0 }
    }
    const forbidden = await checkRedirect?.(to)
    if (forbidden) return { ok: false, failure: forbidden }
    const retryAfter = reply.headers['retry-after']
    redirects.push({ status: reply.status, to, ...(retryAfter && { retryAfter }) })
    if (!mayShareCredentials(here, to)) secrets = {}
    here = to
  }
}

function basic({ user, password }: FeedCredentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const REPEATS = new Set([307, 308])

function targetOf(reply: Reply, from: WebAddress): WebAddress | undefined {
  const target = URL.parse(reply.headers.location ?? '', from)
  if (reply.headers.location === undefined || !target) return undefined
  target.hash = ''
  return webAddress(target.href)
}

const FAILURES: Record<Manner, Failure | undefined> = {
  plain: undefined,
  slow: { kind: 'timeout' },
  endless: { kind: 'too-large' },
  cut: { kind: 'broken-body' },
  reset: { kind: 'unreachable' },
}

function failed(kind: Exclude<Failure['kind'], 'http'>, detail?: string): NetAnswer {
  return { ok: false, failure: { kind, ...(detail && { detail }) } }
}
