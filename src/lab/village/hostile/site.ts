/**
 * The words in which a hostile site is described, and what its scripts are made of. A site answers with bytes, not with
 * HTTP, so that it can be as wrong as it likes; what has to come of that stands beside it, in words and in code.
 */
import type { Socket } from 'node:net'
import type { Failure, FeedState, Instant, Millis, PollResult } from '../../../model/index.ts'

export interface HostileSite {
  /** Its feed is at `http://<name>.localhost:<port>/feed`. */
  name: string
  does: string
  expect: string
  script: Script
  /** What the first polls of it come to, one after the other when each is due: see `inShort`. */
  polls: string[]
  /** How things stand after those polls. */
  after?: Partial<CrawlOutcome>
  /** It keeps a client waiting until the client's patience is over. */
  isSlow?: true
}

/** What it returns is sent, and the connection closed; without that, the socket is in the hands of the script. */
export type Script = (visit: Visit) => Uint8Array | string | undefined

export interface Visit {
  /** With the query. */
  path: string
  headers: Record<string, string>
  /** How many requests came to this host before. */
  index: number
  at: Instant
  port: number
  socket: Socket
}

export interface CrawlOutcome {
  entries: number
  /** What the next poll would send back. */
  etag: string | undefined
  state: FeedState
  /** Path and query of the address that the feed has now. */
  path: string
  /** From the last poll to when the next is due, in whole minutes. */
  waitMinutes: number
  /** What came to the site's host in all. */
  requests: number
  /** Of its latest entry. */
  title: string | undefined
  /** How far in the future its entries say that they were published. */
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

/** A feed like any other, with so many entries. */
export function feed(entries: number, { channel = '', title = 'Goose' } = {}): string {
  const items = Array.from(
    { length: entries },
    (_, i) => `<item><guid>g${i}</guid><title>${title} ${i}</title><link>/g${i}</link></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Geese</title>${channel}${items.join('')}</channel></rss>`
}

/** A well-formed answer, with its length unless another one is given; a header that is undefined is left out. */
export function reply(
  status: number,
  body: string | Uint8Array = '',
  headers: Record<string, string | number | undefined> = {},
): Buffer {
  const bytes = Buffer.from(body as string)
  const all = { 'content-type': 'application/rss+xml', 'content-length': bytes.length, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** Answers in this order; the last one again and again. */
export function replyInTurn(...scripts: Script[]): Script {
  return (visit) => scripts[Math.min(visit.index, scripts.length - 1)]?.(visit)
}

/** A script for what is the same every time, made when it is first wanted. */
export function alwaysReply(make: (visit: Visit) => Uint8Array | string): Script {
  let made: Uint8Array | string | undefined
  return (visit) => (made ??= make(visit))
}

const LONGEST_MS: Millis = 60_000
const DRIP_MS: Millis = 20
const MOST_BYTES = 256 * 2 ** 20

/** One drop every few milliseconds, for as long as anybody listens, within reason; the last one again and again. */
export function sendSlowly(socket: Socket, ...drops: (string | Uint8Array)[]): void {
  const until = performance.now() + LONGEST_MS
  let next = 0
  const timer = setInterval(() => {
    if (socket.destroyed || performance.now() > until) socket.destroy()
    else socket.write(drops[Math.min(next++, drops.length - 1)] ?? '')
  }, DRIP_MS)
  socket.once('close', () => clearInterval(timer))
}

/** Over and over, as fast as it is taken, within reason. */
export function sendEndlessly(socket: Socket, text: string | Uint8Array): void {
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < MOST_BYTES) {
      sent += text.length
      if (!socket.write(text)) return
    }
    socket.destroy()
  }
  socket.on('drain', more)
  more()
}
