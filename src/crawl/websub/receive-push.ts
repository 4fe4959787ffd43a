/**
 * Takes in what hubs bring, as it arrives. Whoever knows the address of a subscription may send to it, and only the whole
 * of a message tells whether the hub has signed it: so all that is arriving, or waits to be looked at, has so much room
 * together, a subscription has two messages under way at most, and none may take longer than half a minute.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
import { hubSignatureOf } from '../../politeness/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { Pushed } from '../crawler.ts'

export type TakenIn =
  /** `letGo` gives its room to others. */
  | { kind: 'signed'; body: Uint8Array; letGo: () => void }
  | { kind: 'unsigned' }
  /** There is no room for it now, or it came too slowly. */
  | { kind: 'not-now' }

export type TakeIn = (token: string, brought: Pushed, secret: string) => Promise<TakenIn>

const MOST_BYTES = 32_000_000 // of what hubs brought and nobody looked at yet
const MOST_UNDER_WAY = 32
const MOST_OF_ONE = 2
const LONGEST_MS: Millis = 30 * SECOND
const FIRST_BYTES = 16_384

export function createPushIntake(clock: Clock): TakeIn {
  const underWay = new Map<string, number>()
  let messages = 0
  let bytes = 0

  function enter(token: string): boolean {
    const ofOne = underWay.get(token) ?? 0
    if (messages >= MOST_UNDER_WAY || ofOne >= MOST_OF_ONE) return false
    messages++
    underWay.set(token, ofOne + 1)
    return true
  }

  function leave(token: string): void {
    messages--
    const left = (underWay.get(token) ?? 1) - 1
    if (left > 0) underWay.set(token, left)
    else underWay.delete(token)
  }

  /** Undefined if there is no room, or it takes too long. */
  async function gathered({ chunks }: Pushed, heard: (chunk: Uint8Array) => void) {
    let body = new Uint8Array(0)
    let length = 0
    const letGo = () => {
      bytes -= body.length
      body = new Uint8Array(0)
    }
    try {
      for await (const chunk of inTime(chunks(), clock, clock.now() + LONGEST_MS)) {
        const needed = length + chunk.length
        if (needed > body.length) {
          const larger = Math.max(FIRST_BYTES, needed, 2 * body.length)
          const room = MOST_BYTES - bytes
          const grown = Math.min(larger, body.length + room)
          if (grown < needed) {
            letGo()
            return undefined
          }
          bytes += grown - body.length
          body = enlarged(body, grown)
        }
        body.set(chunk, length)
        length = needed
        heard(chunk)
      }
    } catch (error) {
      letGo()
      if (error === TOO_SLOW) return undefined
      throw error
    }
    return { body: body.subarray(0, length), letGo }
  }

  return async (token, brought, secret) => {
    const signature = hubSignatureOf(brought.headers['x-hub-signature'], secret)
    if (!signature) return { kind: 'unsigned' } // and not worth the reading
    if ((brought.declaredBytes ?? 0) > MOST_BYTES - bytes || !enter(token)) return { kind: 'not-now' }
    try {
      const message = await gathered(brought, signature.hear)
      if (!message) return { kind: 'not-now' }
      if (signature.isRight()) return { kind: 'signed', ...message }
      message.letGo()
      return { kind: 'unsigned' }
    } finally {
      leave(token)
    }
  }
}

const TOO_SLOW = Symbol('too slow')

/** Throws TOO_SLOW when time is up; whoever is still waited for then is left alone. */
async function* inTime<T>(items: AsyncIterable<T>, clock: Clock, until: Instant): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  const enough = new AbortController()
  const late = clock.sleepUntil(until, enough.signal).then(() => TOO_SLOW)
  try {
    for (;;) {
      const next = iterator.next()
      const first = await Promise.race([next, late])
      if (first === TOO_SLOW) {
        next.catch(() => {})
        throw TOO_SLOW
      }
      const { done, value } = first as IteratorResult<T>
      if (done) return
      yield value
    }
  } finally {
    enough.abort()
    iterator.return?.().catch(() => {})
  }
}

/** In pieces of one byte, a message takes no more than otherwise: they are not kept. */
function enlarged(body: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes)
  larger.set(body)
  return larger
}
