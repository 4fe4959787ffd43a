/**
 * Reads pushes as they arrive and verifies their signature. Anybody who knows the address of a subscription can send to it, and the
 * signature can only be verified at the end of a message. So the memory of all arriving and waiting messages is limited, a subscription
 * has at most two messages arriving, and none may take longer than half a minute.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
import { hubSignatureOf } from '../../politeness/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { PushRequest } from '../crawler.ts'

export type PushReadResult =
  /** `release` frees its memory for other messages. */
  | { kind: 'signed'; body: Uint8Array; release: () => void }
  | { kind: 'unsigned' }
  /** Over the limits, or too slow. */
  | { kind: 'not-now' }

export type ReadPush = (token: string, request: PushRequest, secret: string) => Promise<PushReadResult>

const MAX_BYTES = 32_000_000 // of all messages that are arriving or not yet recorded
const MAX_ARRIVING = 32
const MAX_ARRIVING_PER_TOKEN = 2
const MAX_DURATION_MS: Millis = 30 * SECOND
const INITIAL_BYTES = 16_384

export function createPushReader(clock: Clock): ReadPush {
  const arriving = new Map<string, number>()
  let messages = 0
  let bytes = 0

  function enter(token: string): boolean {
    const ofToken = arriving.get(token) ?? 0
    if (messages >= MAX_ARRIVING || ofToken >= MAX_ARRIVING_PER_TOKEN) return false
    messages++
    arriving.set(token, ofToken + 1)
    return true
  }

  function leave(token: string): void {
    messages--
    const remaining = (arriving.get(token) ?? 1) - 1
    if (remaining > 0) arriving.set(token, remaining)
    else arriving.delete(token)
  }

  /** Undefined if the message exceeds the limits or takes too long. */
  async function readBody({ chunks }: PushRequest, onChunk: (chunk: Uint8Array) => void) {
    let body = new Uint8Array(0)
    let length = 0
    const release = () => {
      bytes -= body.length
      body = new Uint8Array(0)
    }
    try {
      for await (const chunk of withDeadline(chunks(), clock, clock.now() + MAX_DURATION_MS)) {
        const needed = length + chunk.length
        if (needed > body.length) {
          const wantedBytes = Math.max(INITIAL_BYTES, needed, 2 * body.length)
          const freeBytes = MAX_BYTES - bytes
          const grown = Math.min(wantedBytes, body.length + freeBytes)
          if (grown < needed) {
            release()
            return undefined
          }
          bytes += grown - body.length
          body = enlarged(body, grown)
        }
        body.set(chunk, length)
        length = needed
        onChunk(chunk)
      }
    } catch (error) {
      release()
      if (error === TOO_SLOW) return undefined
      throw error
    }
    return { body: body.subarray(0, length), release }
  }

  return async (token, request, secret) => {
    const signature = hubSignatureOf(request.headers['x-hub-signature'], secret)
    if (!signature) return { kind: 'unsigned' } // without a usable signature, the body need not be read
    if ((request.declaredBytes ?? 0) > MAX_BYTES - bytes || !enter(token)) return { kind: 'not-now' }
    try {
      const message = await readBody(request, signature.update)
      if (!message) return { kind: 'not-now' }
      if (signature.isValid()) return { kind: 'signed', ...message }
      message.release()
      return { kind: 'unsigned' }
    } finally {
      leave(token)
    }
  }
}

const TOO_SLOW = Symbol('too slow')

/** Throws TOO_SLOW at `until`, and does not wait for the pending item. */
async function* withDeadline<T>(items: AsyncIterable<T>, clock: Clock, until: Instant): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  const done = new AbortController()
  const timeout = clock.sleepUntil(until, done.signal).then(() => TOO_SLOW)
  try {
    for (;;) {
      const next = iterator.next()
      const winner = await Promise.race([next, timeout])
      if (winner === TOO_SLOW) {
        next.catch(() => {})
        throw TOO_SLOW
      }
      const { done, value } = winner as IteratorResult<T>
      if (done) return
      yield value
    }
  } finally {
    done.abort()
    iterator.return?.().catch(() => {})
  }
}

/** Chunks are copied and not kept: a message in chunks of one byte takes no more memory than in one chunk. */
function enlarged(body: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes)
  larger.set(body)
  return larger
}
