/** Limits of arriving pushes: bytes, number and duration. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { SECOND } from '../../model/index.ts'
import type { PushRequest } from '../crawler.ts'
import { createPushReader } from './receive-push.ts'

const SECRET = 'secret'
const MB = 1_000_000
const CLAIM = { 'x-hub-signature': `sha256=${'0'.repeat(64)}` }
const signed = (body: Uint8Array) => ({
  'x-hub-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
})

function createScene() {
  const clock = createSteppedClock(0)
  return { clock, readPush: createPushReader(clock) }
}

/** A push in these chunks. It counts the bytes that were read, and an endless one ends when `end` is called. */
function message(headers: Record<string, string>, parts: Iterable<Uint8Array>, isEndless = false) {
  const pulled = { bytes: 0 }
  const end = Promise.withResolvers<void>()
  const request: PushRequest = {
    headers,
    async *chunks() {
      for (const part of parts) {
        pulled.bytes += part.length
        yield part
      }
      if (isEndless) await end.promise
    },
  }
  return { request, pulled, end: end.resolve }
}

const runMicrotasks = async () => {
  for (let i = 0; i < 500; i++) await Promise.resolve()
}

describe('a push without a valid signature', () => {
  it.each([{}, { 'x-hub-signature': '' }, { 'x-hub-signature': 'sha256=00' }, { 'x-hub-signature': 'md5=00' }])(
    'is not read if the signature is malformed: %j',
    async (headers) => {
      const { readPush } = createScene()
      const { request, pulled } = message(headers as Record<string, string>, [new Uint8Array(MB)])
      expect(await readPush('a', request, SECRET)).toEqual({ kind: 'unsigned' })
      expect(pulled.bytes).toBe(0)
    },
  )

  it('releases its memory after verification fails', async () => {
    const { readPush } = createScene()
    for (let i = 0; i < 10; i++)
      expect(await readPush('a', message(CLAIM, [new Uint8Array(8 * MB)]).request, SECRET)).toEqual({
        kind: 'unsigned',
      })
  })
})

it('accepts a signed push in chunks of any size', async () => {
  const { readPush } = createScene()
  const body = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
  const parts = Array.from(body, (byte) => Uint8Array.of(byte))
  const result = await readPush('a', message(signed(body), parts).request, SECRET)
  expect(result.kind === 'signed' && Buffer.compare(result.body, body)).toBe(0)
})

it('holds at most 32 MB of arriving and waiting pushes, and one subscription cannot use all of it', async () => {
  const { readPush, clock } = createScene()
  const parts = () => Array.from({ length: 9 }, () => new Uint8Array(MB))
  const messages = Array.from({ length: 100 }, () => message(CLAIM, parts(), true))
  const answers = messages.map(({ request }, i) => readPush(`token ${i % 50}`, request, SECRET))
  await runMicrotasks()
  const refused = await Promise.all(answers.map((answer) => Promise.race([answer, undefined])))
  const waiting = messages.filter((_, i) => refused[i] === undefined)
  const waitingBytes = waiting.reduce((sum, { pulled }) => sum + pulled.bytes, 0)
  expect(waiting).toHaveLength(2)
  expect(waitingBytes).toBeLessThanOrEqual(32 * MB)
  expect(refused.filter(Boolean)).toContainEqual({ kind: 'not-now' })
  await clock.advance(31 * SECOND)
  expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(new Set(['not-now']))

  const body = new Uint8Array(9 * MB)
  const results = []
  for (let i = 0; i < 4; i++) results.push(await readPush('a', message(signed(body), [body]).request, SECRET))
  expect(results.map(({ kind }) => kind)).toEqual(['signed', 'signed', 'signed', 'not-now'])
  const declared = { ...message(signed(body), [body]).request, declaredBytes: body.length }
  expect(await readPush('b', declared, SECRET)).toEqual({ kind: 'not-now' })
  for (const result of results) if (result.kind === 'signed') result.release()
  expect(await readPush('b', declared, SECRET)).toMatchObject({ kind: 'signed' })
})

it('lets at most two pushes of a subscription and 32 in total arrive at once', async () => {
  const { readPush, clock } = createScene()
  const slow = () => message(CLAIM, [], true).request
  const kinds: (string | undefined)[] = []
  const send = (token: string) => {
    const at = kinds.push(undefined) - 1
    readPush(token, slow(), SECRET).then(({ kind }) => {
      kinds[at] = kind
    })
  }
  for (let i = 0; i < 3; i++) send('a')
  await runMicrotasks()
  expect(kinds).toEqual([undefined, undefined, 'not-now'])
  for (let i = 0; i < 40; i++) send(`b${i}`)
  await runMicrotasks()
  expect(kinds.filter((kind) => kind === undefined)).toHaveLength(32)
  await clock.advance(31 * SECOND)
  expect(kinds).not.toContain(undefined)
})

it('waits half a minute for a push, then frees its slot', async () => {
  const { readPush, clock } = createScene()
  const body = Buffer.from('<rss/>')
  const { request, end } = message(signed(body), [body], true)
  const answer = readPush('a', request, SECRET)
  await clock.advance(29 * SECOND)
  expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting')
  await clock.advance(2 * SECOND)
  expect(await answer).toEqual({ kind: 'not-now' })
  end()
  const inTime = message(signed(body), [body])
  expect(await readPush('a', inTime.request, SECRET)).toMatchObject({ kind: 'signed' })
})
