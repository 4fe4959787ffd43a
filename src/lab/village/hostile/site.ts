/**
 * Describes a hostile site, with helpers for its scripts. A site answers with bytes rather than HTTP, so that it can
 * be arbitrarily wrong; the expected result is given next to it, as text and as code.
 */
import type { Socket } from 'node:net'
import type { Failure, FeedState, Instant, Millis, PollResult } from '../../../model/index.ts'

export interface HostileSite {
  /** Its feed is at `http://<name>.localhost:<port>/feed`. */
  name: string
  behavior: string
  expect: string
  script: Script
  /** Results of its first polls, each made when due: see `inShort`. */
  polls: string[]
  /** Expected state after those polls. */
  after?: Partial<CrawlOutcome>
  /** It keeps the client waiting until its timeout. */
  isSlow?: true
}

/** Returned data is sent and the connection closed; otherwise the script controls the socket. */
export type Script = (visit: Visit) => Uint8Array | string | undefined

export interface Visit {
  /** Including the query. */
  path: string
  headers: Record<string, string>
  /** Number of earlier requests to this host. */
  index: number
  at: Instant
  port: number
  socket: Socket
}

export interface CrawlOutcome {
  entries: number
  /** Validators of the next poll. */
  etag: string | undefined
  state: FeedState
  /** Path and query of the feed's current address. */
  path: string
  /** From the last poll to the next due date, in whole minutes. */
  waitMinutes: number
  /** Total number of requests to the site's host. */
  requests: number
  /** Title of its latest entry. */
  title: string | undefined
  /** How far in the future the dates of its entries are. */
  minutesAhead: number
}

/** `read 3`, `unchanged by server`, `http 429`, `timeout` */
export function excerpt(result: PollResult): string {
  switch (result.kind) {
    case 'read':
      return `read ${result.fresh}`
    case 'not-modified':
      return `unchanged by ${result.by}`
    case 'failed':
      return failureInShort(result.failure)
  }
}

function failureInShort(failure: Failure): string {
  return failure.kind === 'http' ? `http ${failure.status}` : failure.kind
}

/** A normal feed with this number of entries. */
export function feed(entries: number, { channel = '', title = 'Goose' } = {}): string {
  const items = Array.from(
    { length: entries },
    (_, i) => `<item><guid>g${i}</guid><title>${title} ${i}</title><link>/g${i}</link></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Geese</title>${channel}${items.join('')}</channel></rss>`
}

/** A well-formed response, with its content length by default; undefined headers are omitted. */
export function reply(
  status: number,
  body: string | Uint8Array = '',
  headers: Record<string, string | number | undefined> = {},
): Buffer {
  const bytes = Buffer.from(body as string)
  const allHeaders = { 'content-type': 'application/rss+xml', 'content-length': bytes.length, ...headers }
  const lines = Object.entries(allHeaders).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** Responses in this order; the last one is repeated. */
export function replyInTurn(...scripts: Script[]): Script {
  return (visit) => scripts[Math.min(visit.index, scripts.length - 1)]?.(visit)
}

/** A script with a constant response, created on first use. */
export function alwaysReply(make: (visit: Visit) => Uint8Array | string): Script {
  let cached: Uint8Array | string | undefined
  return (visit) => (cached ??= make(visit))
}

const MAX_SEND_MS: Millis = 60_000
const DRIP_MS: Millis = 20
const MAX_BYTES = 256 * 2 ** 20

/** Sends one part every few milliseconds while the client listens, up to a limit; the last part is repeated. */
export function sendSlowly(socket: Socket, ...drops: (string | Uint8Array)[]): void {
  const until = performance.now() + MAX_SEND_MS
  let next = 0
  const timer = setInterval(() => {
    if (socket.destroyed || performance.now() > until) socket.destroy()
    else socket.write(drops[Math.min(next++, drops.length - 1)] ?? '')
  }, DRIP_MS)
  socket.once('close', () => clearInterval(timer))
}

/** Sends repeatedly, as fast as it is received, up to a limit. */
export function sendEndlessly(socket: Socket, text: string | Uint8Array): void {
  let sent = 0
  const sendMore = () => {
    while (!socket.destroyed && sent < MAX_BYTES) {
      sent += text.length
      if (!socket.write(text)) return
    }
    socket.destroy()
  }
  socket.on('drain', sendMore)
  sendMore()
}
