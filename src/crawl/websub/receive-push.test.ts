/** However much comes in the name of hubs, and however slowly: what is taken in has its bounds. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { SECOND } from '../../model/index.ts'
import type { Pushed } from '../crawler.ts'
import { createPushIntake } from './receive-push.ts'

const SECRET = 'secret'
const MB = 1_000_000
const CLAIM = { 'x-hub-signature': `sha256=${'0'.repeat(64)}` }
const signed = (body: Uint8Array) => ({
  'x-hub-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
})

function intake() {
  const clock = createSteppedClock(0)
  return { clock, takeIn: createPushIntake(clock) }
}

/** A message of these pieces; it tells how many bytes were asked for, and ends when it is told to. */
function message(headers: Record<string, string>, pieces: Iterable<Uint8Array>, isEndless = false) {
  const pulled = { bytes: 0 }
  const end = Promise.withResolvers<void>()
  const brought: Pushed = {
    headers,
    async *chunks() {
      for (const piece of pieces) {
        pulled.bytes += piece.length
        yield piece
      }
      if (isEndless) await end.promise
    },
  }
  return { brought, pulled, end: end.resolve }
}

const turns = async () => {
  for (let i = 0; i < 500; i++) await Promise.resolve()
}

describe('what is not signed', () => {
  it.each([{}, { 'x-hub-signature': '' }, { 'x-hub-signature': 'sha256=00' }, { 'x-hub-signature': 'md5=00' }])(
    'is not read where it does not even look so: %j',
    async (headers) => {
      const { takeIn } = intake()
      const { brought, pulled } = message(headers as Record<string, string>, [new Uint8Array(MB)])
      expect(await takeIn('a', brought, SECRET)).toEqual({ kind: 'unsigned' })
      expect(pulled.bytes).toBe(0)
    },
  )

  it('leaves its room when that turns out', async () => {
    const { takeIn } = intake()
    for (let i = 0; i < 10; i++)
      expect(await takeIn('a', message(CLAIM, [new Uint8Array(8 * MB)]).brought, SECRET)).toEqual({ kind: 'unsigned' })
  })
})

it('takes in what is signed, in whatever pieces it comes', async () => {
  const { takeIn } = intake()
  const body = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
  const pieces = Array.from(body, (byte) => Uint8Array.of(byte))
  const taken = await takeIn('a', message(signed(body), pieces).brought, SECRET)
  expect(taken.kind === 'signed' && Buffer.compare(taken.body, body)).toBe(0)
})

it('keeps 32 MB at most of all that arrives and waits, and one subscription cannot take all of it', async () => {
  const { takeIn, clock } = intake()
  const parts = () => Array.from({ length: 9 }, () => new Uint8Array(MB))
  const messages = Array.from({ length: 100 }, () => message(CLAIM, parts(), true))
  const answers = messages.map(({ brought }, i) => takeIn(`token ${i % 50}`, brought, SECRET))
  await turns()
  const refused = await Promise.all(answers.map((answer) => Promise.race([answer, undefined])))
  const waiting = messages.filter((_, i) => refused[i] === undefined)
  const held = waiting.reduce((sum, { pulled }) => sum + pulled.bytes, 0)
  expect(waiting).toHaveLength(2)
  expect(held).toBeLessThanOrEqual(32 * MB)
  expect(refused.filter(Boolean)).toContainEqual({ kind: 'not-now' })
  await clock.advance(31 * SECOND)
  expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(new Set(['not-now']))

  const body = new Uint8Array(9 * MB)
  const taken = []
  for (let i = 0; i < 4; i++) taken.push(await takeIn('a', message(signed(body), [body]).brought, SECRET))
  expect(taken.map(({ kind }) => kind)).toEqual(['signed', 'signed', 'signed', 'not-now'])
  const declared = { ...message(signed(body), [body]).brought, declaredBytes: body.length }
  expect(await takeIn('b', declared, SECRET)).toEqual({ kind: 'not-now' })
  for (const one of taken) if (one.kind === 'signed') one.letGo()
  expect(await takeIn('b', declared, SECRET)).toMatchObject({ kind: 'signed' })
})

it('has two messages of a subscription under way at most, and 32 of all', async () => {
  const { takeIn, clock } = intake()
  const slow = () => message(CLAIM, [], true).brought
  const kinds: (string | undefined)[] = []
  const send = (token: string) => {
    const at = kinds.push(undefined) - 1
    takeIn(token, slow(), SECRET).then(({ kind }) => {
      kinds[at] = kind
    })
  }
  for (let i = 0; i < 3; i++) send('a')
  await turns()
  expect(kinds).toEqual([undefined, undefined, 'not-now'])
  for (let i = 0; i < 40; i++) send(`b${i}`)
  await turns()
  expect(kinds.filter((kind) => kind === undefined)).toHaveLength(32)
  await clock.advance(31 * SECOND)
  expect(kinds).not.toContain(undefined)
})

it('waits half a minute for a message, and then its place is free', async () => {
  const { takeIn, clock } = intake()
  const body = Buffer.from('<rss/>')
  const { brought, end } = message(signed(body), [body], true)
  const answer = takeIn('a', brought, SECRET)
  await clock.advance(29 * SECOND)
  expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting')
  await clock.advance(2 * SECOND)
  expect(await answer).toEqual({ kind: 'not-now' })
  end()
  const inTime = message(signed(body), [body])
  expect(await takeIn('a', inTime.brought, SECRET)).toMatchObject({ kind: 'signed' })
})
