/**
 * Reads request bodies within limits, after authentication. A body counts against two budgets, one per user and one for all users, from its
 * first byte until the request is answered, and it has to arrive within a time limit. Unauthenticated requests, such as logins, are limited
 * to a few kilobytes and have separate budgets, so they cannot use up the memory of users who are logged in.
 */
import type { BlockList } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { assertMaxDepth } from './json-depth.ts'
import { Problem } from './problem.ts'

const KB = 1024
const MB = 1024 * KB

/** Name and password, or a Fever key with fifty ids. */
export const MAX_ANONYMOUS_BYTES = 8 * KB
const MAX_BYTES = 64 * KB
/** A thousand addresses, or ten thousand entry ids in the longest form that feed readers send. */
const MAX_LIST_BYTES = MB
/** An OPML file of some 40,000 feeds. */
const MAX_OPML_BYTES = 8 * MB

const LIST_PATHS =
  /^\/api\/v1\/(feeds|subscriptions|reading\/.*)$|\/reader\/api\/0\/(edit-tag|stream\/items\/contents)$|^\/v1\/entries$/
const OPML_PATHS = new Set(['/api/v1/opml', '/v1/import'])
/** A file of another reader, with the texts of some thousand starred entries. */
const MAX_IMPORT_BYTES = 12 * MB
const IMPORT_PATH = '/api/v1/import'

const RETRY_AFTER_SECONDS = 5

interface Limits {
  budget: ByteBudget
  /** The key of the budget. */
  owner: string
  maxBytes: number
  maxMs: Millis
}

/** Rejects bodies by their content-length before reading. Runs after authentication, unless the credentials are in the body. */
export function createBodyReader({ clock, trustProxy }: { clock: Clock; trustProxy?: BlockList }): MiddlewareHandler {
  const users = createByteBudget({ all: 32 * MB, owner: 16 * MB })
  const anonymous = createByteBudget({ all: 4 * MB, owner: 64 * KB })

  function limitsFor(c: Context): Limits {
    const { scope, user } = callerOf(c) ?? {}
    const address = `from ${clientKey(c, trustProxy)}`
    if (scope === undefined)
      return { budget: anonymous, owner: address, maxBytes: MAX_ANONYMOUS_BYTES, maxMs: 10 * SECOND }
    return {
      budget: users,
      owner: user ? `user ${user.id}` : address,
      maxBytes: maxBytesFor(c.req.path),
      maxMs: 2 * MINUTE,
    }
  }

  return async (c, next) => {
    const { raw } = c.req
    if (raw.method === 'GET' || raw.method === 'HEAD' || !raw.body || isRead(c)) return next()
    const limits = limitsFor(c)
    if (Number(c.req.header('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes)
    const reservation = limits.budget.reserve(limits.owner)
    try {
      const body = await readBody(raw.body, limits, reservation, clock)
      if (isJson(c)) assertMaxDepth(body)
      c.set('bodyBytes', body.length)
      c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
      await next()
    } finally {
      reservation.release()
    }
  }
}

/** Protocols with credentials in the body read it before authentication. */
function isRead(c: Context): boolean {
  return c.get('bodyBytes') !== undefined
}

/** Does not cancel a rejected body: that would close the connection before the response is sent. */
async function readBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, maxMs }: Limits,
  reservation: ByteReservation,
  clock: Clock,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  const reader = body.getReader()
  const finished = new AbortController()
  const timeout = clock.sleepUntil(clock.now() + maxMs, finished.signal).then(() => 'late' as const)
  try {
    for (let bytes = 0; ; ) {
      const result = await Promise.race([reader.read().catch(throwIncomplete), timeout])
      if (result === 'late')
        throw new Problem(408, 'the body took too long', `send it within ${maxMs / SECOND} seconds`)
      if (result.done) break
      bytes += result.value.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      if (!reservation.add(result.value.length))
        throw new Problem(503, 'too many uploads at once', 'retry in a moment', RETRY_AFTER_SECONDS)
      chunks.push(result.value)
    }
  } finally {
    finished.abort()
  }
  return Buffer.concat(chunks)
}

function throwIncomplete(): never {
  throw new Problem(400, 'the body is incomplete', 'send it again')
}

/** Everything that is neither a form nor a file is read as JSON, whatever its content type. */
function isJson(c: Context): boolean {
  const type = c.req.header('content-type') ?? ''
  return (
    !OPML_PATHS.has(c.req.path) &&
    c.req.path !== IMPORT_PATH &&
    !/^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)
  )
}

function maxBytesFor(path: string): number {
  if (OPML_PATHS.has(path)) return MAX_OPML_BYTES
  if (path === IMPORT_PATH) return MAX_IMPORT_BYTES
  return LIST_PATHS.test(path) ? MAX_LIST_BYTES : MAX_BYTES
}

function tooLarge(mostBytes: number): Problem {
  return new Problem(413, 'the body is too large', `the limit is ${Math.floor(mostBytes / KB)} KB`)
}

interface ByteReservation {
  /** False if either budget is exceeded. */
  add(bytes: number): boolean
  release(): void
}

interface ByteBudget {
  reserve(owner: string): ByteReservation
}

function createByteBudget(max: { all: number; owner: number }): ByteBudget {
  let inProgress = 0
  const byOwner = new Map<string, number>()
  return {
    reserve(owner) {
      let reserved = 0
      return {
        add(bytes) {
          const ofOwner = byOwner.get(owner) ?? 0
          if (ofOwner + bytes > max.owner || inProgress + bytes > max.all) return false
          reserved += bytes
          inProgress += bytes
          byOwner.set(owner, ofOwner + bytes)
          return true
        },
        release() {
          inProgress -= reserved
          const ofOwner = (byOwner.get(owner) ?? 0) - reserved
          if (ofOwner > 0) byOwner.set(owner, ofOwner)
          else byOwner.delete(owner)
          reserved = 0
        },
      }
    },
  }
}
