/**
 * Reads request bodies within limits, after the sender is known. A body counts against two budgets, the sender's own and everybody's,
 * from its first byte until the request is answered, and it has to arrive within a time. Who has not been authenticated, as while
 * logging in, gets a few kilobytes from budgets of their own: they cannot use up the memory of users who are logged in.
 */
import type { BlockList } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { assertShallow } from './json-depth.ts'
import { Problem } from './problem.ts'

const KB = 1024
const MB = 1024 * KB

/** Name and password, or a Fever key with fifty ids. */
const MOST_ANONYMOUS_BYTES = 8 * KB
const MOST_BYTES = 64 * KB
/** A thousand addresses, or ten thousand ids of entries, however long a feed reader writes them. */
const MOST_LIST_BYTES = MB
/** An OPML file of some 40,000 feeds. */
const MOST_OPML_BYTES = 8 * MB

const LISTS =
  /^\/api\/v1\/(feeds|subscriptions|reading\/.*)$|\/reader\/api\/0\/(edit-tag|stream\/items\/contents)$|^\/v1\/entries$/
const OPML = new Set(['/api/v1/opml', '/v1/import'])

const AGAIN_SECONDS = 5

interface Limits {
  budget: ByteBudget
  /** Whose budget it is taken from. */
  owner: string
  mostBytes: number
  mostMs: Millis
}

/** Bodies that are announced as too large are refused before they are read. Goes behind authentication wherever that needs no body. */
export function createBodyReader({ clock, trustProxy }: { clock: Clock; trustProxy?: BlockList }): MiddlewareHandler {
  const users = createByteBudget({ all: 32 * MB, owner: 16 * MB })
  const anonymous = createByteBudget({ all: 4 * MB, owner: 64 * KB })

  function limitsFor(c: Context): Limits {
    const { allows, person } = callerOf(c) ?? {}
    const address = `from ${clientKey(c, trustProxy)}`
    if (allows === undefined)
      return { budget: anonymous, owner: address, mostBytes: MOST_ANONYMOUS_BYTES, mostMs: 10 * SECOND }
    return {
      budget: users,
      owner: person ? `user ${person.id}` : address,
      mostBytes: mostBytesFor(c.req.path),
      mostMs: 2 * MINUTE,
    }
  }

  return async (c, next) => {
    const { raw } = c.req
    if (raw.method === 'GET' || raw.method === 'HEAD' || !raw.body || isRead(c)) return next()
    const limits = limitsFor(c)
    if (Number(c.req.header('content-length') ?? 0) > limits.mostBytes) throw tooLarge(limits.mostBytes)
    const taken = limits.budget.open(limits.owner)
    try {
      const body = await readBody(raw.body, limits, taken, clock)
      if (isJson(c)) assertShallow(body)
      c.set('bodyBytes', body.length)
      c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
      await next()
    } finally {
      taken.release()
    }
  }
}

/** A protocol with its credentials in the body has it read before; authentication finds it there. */
function isRead(c: Context): boolean {
  return c.get('bodyBytes') !== undefined
}

/** The body is not cancelled where it is given up: that would take the connection, and the answer, along. */
async function readBody(
  body: ReadableStream<Uint8Array>,
  { mostBytes, mostMs }: Limits,
  taken: TakenBytes,
  clock: Clock,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  const reader = body.getReader()
  const finished = new AbortController()
  const late = clock.sleepUntil(clock.now() + mostMs, finished.signal).then(() => 'late' as const)
  try {
    for (let bytes = 0; ; ) {
      const step = await Promise.race([reader.read().catch(brokeOff), late])
      if (step === 'late') throw new Problem(408, 'the body took too long', `send it within ${mostMs / SECOND} seconds`)
      if (step.done) break
      bytes += step.value.length
      if (bytes > mostBytes) throw tooLarge(mostBytes)
      if (!taken.add(step.value.length))
        throw new Problem(503, 'too many uploads at once', 'retry in a moment', AGAIN_SECONDS)
      chunks.push(step.value)
    }
  } finally {
    finished.abort()
  }
  return Buffer.concat(chunks)
}

function brokeOff(): never {
  throw new Problem(400, 'the body is incomplete', 'send it again')
}

/** What is no form and no OPML is read as JSON, whatever it calls itself. */
function isJson(c: Context): boolean {
  const type = c.req.header('content-type') ?? ''
  return !OPML.has(c.req.path) && !/^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)
}

function mostBytesFor(path: string): number {
  if (OPML.has(path)) return MOST_OPML_BYTES
  return LISTS.test(path) ? MOST_LIST_BYTES : MOST_BYTES
}

function tooLarge(mostBytes: number): Problem {
  return new Problem(413, 'the body is too large', `the limit is ${Math.floor(mostBytes / KB)} KB`)
}

interface TakenBytes {
  /** False if either budget has not so much left. */
  add(bytes: number): boolean
  release(): void
}

interface ByteBudget {
  open(owner: string): TakenBytes
}

function createByteBudget(most: { all: number; owner: number }): ByteBudget {
  let inProgress = 0
  const byOwner = new Map<string, number>()
  return {
    open(owner) {
      let held = 0
      return {
        add(bytes) {
          const own = byOwner.get(owner) ?? 0
          if (own + bytes > most.owner || inProgress + bytes > most.all) return false
          held += bytes
          inProgress += bytes
          byOwner.set(owner, own + bytes)
          return true
        },
        release() {
          inProgress -= held
          const own = (byOwner.get(owner) ?? 0) - held
          if (own > 0) byOwner.set(owner, own)
          else byOwner.delete(owner)
          held = 0
        },
      }
    },
  }
}
