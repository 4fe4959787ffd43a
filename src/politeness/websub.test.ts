import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type Failure, type FeedId, HOUR, MINUTE, type Push, pushStanding, SECOND } from '../model/index.ts'
import {
  ASKED_LEASE_MS,
  answerToHub,
  askedAfter,
  asking,
  ending,
  hubSignatureOf,
  isRelied,
  newPush,
  polledAfter,
  pushedAfter,
} from './index.ts'

const now = 1000 * DAY
const fresh: Push = newPush(
  {
    feedId: 1 as FeedId,
    hub: address('https://hub.example/'),
    topic: address('https://a.example/feed'),
    token: 't',
    secret: 's',
  },
  now,
)
const pending = asking(fresh, now)
const question = (more: Record<string, string> = {}) => ({
  'hub.mode': 'subscribe',
  'hub.topic': fresh.topic,
  'hub.challenge': 'c',
  'hub.lease_seconds': '86400',
  ...more,
})
const confirmed = (push = pending, more = {}, chance = 0) => {
  const said = answerToHub(push, question(more), now, chance)
  if (said.kind !== 'echo' || !said.push) throw new Error(`not confirmed, but ${said.kind}`)
  return said.push
}
const active = confirmed()
const relied = pushedAfter(active, [{}], now + HOUR)

describe('requests to a hub', () => {
  const busy: Failure = { kind: 'http', status: 503 }

  it('are pending before they are sent, and due again if no verification comes', () => {
    expect(pending).toMatchObject({ askedAt: now, state: 'waiting', failures: 0 })
    expect(pending.dueAt).toBeGreaterThan(now)
    expect(asking(pending, now + HOUR)).toMatchObject({ failures: 1, trouble: { kind: 'hub-silent' } })
  })

  it('back off while they fail, and respect Retry-After', () => {
    let push = fresh
    const waits: number[] = []
    for (let i = 0; i < 20; i++) {
      push = askedAfter(asking(push, now), busy, now, 0)!
      waits.push(push.dueAt - now)
    }
    expect(waits[0]).toBe(10 * MINUTE)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(waits.at(-1)).toBe(7 * DAY)
    expect(push).toMatchObject({ failures: 20, trouble: busy })
    const patient = askedAfter(pending, { ...busy, retryAfterMs: 30 * DAY }, now, 0.5)
    expect(patient?.dueAt).toBe(now + 30 * DAY)
  })

  it('change nothing if the verification came before the response', () => {
    expect(askedAfter(active, undefined, now + SECOND, 0)).toBe(active)
    expect(askedAfter(active, busy, now + SECOND, 0)).toBe(active)
  })

  it('to unsubscribe end after three failures', () => {
    let push: Push | undefined = ending(active, now)
    let times = 0
    for (; push && times < 9; times++) push = askedAfter(asking(push, now), busy, now, 0)
    expect(times).toBe(3)
  })
})

describe('answers to a hub', () => {
  it.each([
    ['another topic', pending, { 'hub.topic': 'https://a.example/feed/' }],
    ['another mode', pending, { 'hub.mode': 'unsubscribe' }],
    ['no mode that we know', pending, { 'hub.mode': '' }],
    ['no challenge', pending, { 'hub.challenge': '' }],
    ['a challenge without end', pending, { 'hub.challenge': 'x'.repeat(5000) }],
    ['something that we did not ask for', fresh, {}],
    ['something that is confirmed already', active, {}],
    ['a feed that nobody wants any more', asking(ending(active, now), now), {}],
  ])('ignore %s', (_, push, more) => {
    expect(answerToHub(push, question(more), now, 0)).toEqual({ kind: 'unknown' })
  })

  it.each([
    ['86400', DAY],
    ['600', 10 * MINUTE],
    ['0', 0],
    ['99999999999', 366 * DAY],
    ['-5', ASKED_LEASE_MS],
    ['soon', ASKED_LEASE_MS],
    ['', ASKED_LEASE_MS],
  ])('respect a lease of "%s" seconds and renew it in time, but not every second', (seconds, leaseMs) => {
    for (const chance of [0, 0.5, 0.99]) {
      const push = confirmed(pending, { 'hub.lease_seconds': seconds }, chance)
      expect(push).toMatchObject({ state: 'active', leaseUntil: now + leaseMs, failures: 0 })
      expect(push.askedAt).toBeUndefined()
      expect(push.dueAt - now).toBeGreaterThanOrEqual(10 * MINUTE)
      if (leaseMs > HOUR) expect(push.dueAt).toBeLessThan(now + leaseMs * 0.9)
    }
  })

  it('accept a refusal, with its reason, and retry much later', () => {
    const denial = { 'hub.mode': 'denied', 'hub.reason': `no\n${'x'.repeat(999)}` }
    const said = answerToHub(active, question(denial), now, 0)
    const push = said.kind === 'denied' ? said.push : undefined
    expect(push).toMatchObject({ state: 'waiting', dueAt: now + DAY, failures: 1 })
    expect(push?.trouble?.detail).toMatch(/^no x{197}$/)
    expect(push && pushStanding(push, now)).toBe('refused')
    expect(answerToHub(ending(active, now), question(denial), now, 0)).toEqual({ kind: 'denied' })
  })

  it('confirm an unsubscription, which ends the subscription', () => {
    const leaving = asking(ending(active, now), now)
    const said = answerToHub(leaving, question({ 'hub.mode': 'unsubscribe' }), now, 0)
    expect(said).toEqual({ kind: 'echo', challenge: 'c' })
  })
})

describe('a signature', () => {
  const body = Buffer.from('<rss/>')
  const signed = (method: string, secret = 'key') => createHmac(method, secret).update(body).digest('hex')

  function isSigned(message: Uint8Array, header: string | undefined, secret: string): boolean {
    const signature = hubSignatureOf(header, secret)
    for (const byte of message) signature?.hear(Uint8Array.of(byte))
    return signature?.isRight() ?? false
  }

  it.each(['sha1', 'sha256', 'sha384', 'sha512'])('with %s is accepted', (method) => {
    expect(isSigned(body, `${method}=${signed(method)}`, 'key')).toBe(true)
    expect(isSigned(body, ` ${method.toUpperCase()}=${signed(method).toUpperCase()} `, 'key')).toBe(true)
    expect(isSigned(body, `${method}=${signed(method, 'other')}`, 'key')).toBe(false)
    expect(isSigned(Buffer.from('<rss> />'), `${method}=${signed(method)}`, 'key')).toBe(false)
  })

  it('in any other form is rejected', () => {
    const others = ['', 'sha256', 'sha256=', `md5=${signed('md5')}`, signed('sha256'), `sha1=${signed('sha256')}`]
    for (const other of [undefined, ...others]) expect(isSigned(body, other, 'key')).toBe(false)
    fc.assert(fc.property(fc.string(), (text) => !isSigned(body, text, 'key')))
    fc.assert(fc.property(fc.stringMatching(/^[0-9a-f]{1,130}$/), (hex) => !isSigned(body, `sha256=${hex}`, 'key')))
  })
})

it('counts statistics: delays of entries, missed entries, renewals, failures', () => {
  const dates = [now - 5 * SECOND, now - 20 * SECOND, now - HOUR, now - DAY, now - 30 * DAY]
  const brought = pushedAfter(active, [...dates.map((publishedAt) => ({ publishedAt })), {}], now)
  expect(brought.quality).toMatchObject({ fresh: 6, delays: [1, 1, 0, 0, 0, 0, 1, 0, 1] }) // one was dated back
  expect(pushedAfter(brought, undefined, now)).toMatchObject({ pushes: 2, quality: { empty: 1, fresh: 6 } })
  expect(polledAfter(brought, [{}, {}], { at: now, lastAt: 0 }).quality).toMatchObject({ missed: 2, missedPolls: 1 })
  expect(confirmed(asking(brought, now)).quality).toMatchObject({ renewals: 1, failures: 0 })
  expect(askedAfter(asking(brought, now), { kind: 'timeout' }, now, 0)?.quality).toMatchObject({ failures: 1 })
  expect(confirmed().quality).toBeUndefined()
})

describe('a subscription is reliable', () => {
  const at = now + 7 * HOUR
  const poll = { at, lastAt: now + HOUR }

  it('only once it has delivered something, and while the lease is valid', () => {
    expect(pushStanding(fresh, now)).toBe('asked')
    expect(pushStanding(active, now)).toBe('active')
    expect(isRelied(pushedAfter(active, [], now), now)).toBe(false)
    expect(isRelied(relied, now + 2 * HOUR)).toBe(true)
    expect([isRelied(relied, now + DAY), pushStanding(relied, now + DAY)]).toEqual([false, 'asked'])
    expect(pushStanding(ending(relied, now), now)).toBe('ending')
  })

  it('not after a poll finds what it should have delivered, until it delivers again', () => {
    const broken = polledAfter(relied, [{ publishedAt: now + 2 * HOUR }], poll)
    expect(pushStanding(broken, at)).toBe('broken')
    expect(broken.dueAt).toBe(at) // the hub may have lost us
    expect(polledAfter(broken, [{}], { at: at + HOUR, lastAt: at }).dueAt).toBe(at)
    expect(isRelied(pushedAfter(broken, [{}], at + 1), at + 1)).toBe(true)
  })

  it.each([
    ['nothing new', [], true],
    ['something so young that it may be on its way', [{ publishedAt: at - MINUTE }], true],
    ['something old that was not there before', [{ publishedAt: now - DAY }], true],
    ['something without a date', [{}], false],
    ['something of the hours between', [{ publishedAt: now + 2 * HOUR }], false],
  ])('after a poll that found %s', (_, found, stays) => {
    expect(isRelied(polledAfter(relied, found, poll), at)).toBe(stays)
  })
})
