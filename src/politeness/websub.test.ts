import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import {
  DAY,
  type Failure,
  type FeedId,
  HOUR,
  type HubSubscription,
  hubSubscriptionStatus,
  MINUTE,
  SECOND,
} from '../model/index.ts'
import {
  afterHubRequest,
  afterPoll,
  afterPush,
  answerHub,
  beforeHubRequest,
  hubSignatureOf,
  isReliable,
  newHubSubscription,
  REQUESTED_LEASE_MS,
  startUnsubscribing,
} from './index.ts'

const now = 1000 * DAY
const fresh: HubSubscription = newHubSubscription(
  {
    feedId: 1 as FeedId,
    hub: address('https://hub.example/'),
    topic: address('https://a.example/feed'),
    token: 't',
    secret: 's',
  },
  now,
)
const pending = beforeHubRequest(fresh, now)
const question = (parameters: Record<string, string> = {}) => ({
  'hub.mode': 'subscribe',
  'hub.topic': fresh.topic,
  'hub.challenge': 'c',
  'hub.lease_seconds': '86400',
  ...parameters,
})
const confirmed = (push = pending, parameters = {}, chance = 0) => {
  const answer = answerHub(push, question(parameters), now, chance)
  if (answer.kind !== 'echo' || !answer.push) throw new Error(`not confirmed, but ${answer.kind}`)
  return answer.push
}
const active = confirmed()
const trusted = afterPush(active, [{}], now + HOUR)

describe('requests to a hub', () => {
  const unavailable: Failure = { kind: 'http', status: 503 }

  it('are pending before they are sent, and due again if no verification comes', () => {
    expect(pending).toMatchObject({ askedAt: now, state: 'waiting', failures: 0 })
    expect(pending.dueAt).toBeGreaterThan(now)
    expect(beforeHubRequest(pending, now + HOUR)).toMatchObject({ failures: 1, trouble: { kind: 'hub-silent' } })
  })

  it('back off while they fail, and respect Retry-After', () => {
    let push = fresh
    const waits: number[] = []
    for (let i = 0; i < 20; i++) {
      push = afterHubRequest(beforeHubRequest(push, now), unavailable, now, 0)!
      waits.push(push.dueAt - now)
    }
    expect(waits[0]).toBe(10 * MINUTE)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(waits.at(-1)).toBe(7 * DAY)
    expect(push).toMatchObject({ failures: 20, trouble: unavailable })
    const deferred = afterHubRequest(pending, { ...unavailable, retryAfterMs: 30 * DAY }, now, 0.5)
    expect(deferred?.dueAt).toBe(now + 30 * DAY)
  })

  it('change nothing if the verification came before the response', () => {
    expect(afterHubRequest(active, undefined, now + SECOND, 0)).toBe(active)
    expect(afterHubRequest(active, unavailable, now + SECOND, 0)).toBe(active)
  })

  it('to unsubscribe end after three failures', () => {
    let push: HubSubscription | undefined = startUnsubscribing(active, now)
    let times = 0
    for (; push && times < 9; times++) push = afterHubRequest(beforeHubRequest(push, now), unavailable, now, 0)
    expect(times).toBe(3)
  })
})

describe('answers to a hub', () => {
  it.each([
    ['another topic', pending, { 'hub.topic': 'https://a.example/feed/' }],
    ['another mode', pending, { 'hub.mode': 'unsubscribe' }],
    ['an unknown mode', pending, { 'hub.mode': '' }],
    ['a missing challenge', pending, { 'hub.challenge': '' }],
    ['an oversized challenge', pending, { 'hub.challenge': 'x'.repeat(5000) }],
    ['an unrequested verification', fresh, {}],
    ['a repeated verification', active, {}],
    ['a subscription that is being ended', beforeHubRequest(startUnsubscribing(active, now), now), {}],
  ])('ignore %s', (_, push, parameters) => {
    expect(answerHub(push, question(parameters), now, 0)).toEqual({ kind: 'unknown' })
  })

  it.each([
    ['86400', DAY],
    ['600', 10 * MINUTE],
    ['0', 0],
    ['99999999999', 366 * DAY],
    ['-5', REQUESTED_LEASE_MS],
    ['soon', REQUESTED_LEASE_MS],
    ['', REQUESTED_LEASE_MS],
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
    const answer = answerHub(active, question(denial), now, 0)
    const push = answer.kind === 'denied' ? answer.push : undefined
    expect(push).toMatchObject({ state: 'waiting', dueAt: now + DAY, failures: 1 })
    expect(push?.trouble?.detail).toMatch(/^no x{197}$/)
    expect(push && hubSubscriptionStatus(push, now)).toBe('refused')
    expect(answerHub(startUnsubscribing(active, now), question(denial), now, 0)).toEqual({ kind: 'denied' })
  })

  it('confirm an unsubscription, which ends the subscription', () => {
    const leaving = beforeHubRequest(startUnsubscribing(active, now), now)
    const answer = answerHub(leaving, question({ 'hub.mode': 'unsubscribe' }), now, 0)
    expect(answer).toEqual({ kind: 'echo', challenge: 'c' })
  })
})

describe('a signature', () => {
  const body = Buffer.from('<rss/>')
  const signed = (method: string, secret = 'key') => createHmac(method, secret).update(body).digest('hex')

  function isSigned(message: Uint8Array, header: string | undefined, secret: string): boolean {
    const signature = hubSignatureOf(header, secret)
    for (const byte of message) signature?.update(Uint8Array.of(byte))
    return signature?.isValid() ?? false
  }

  it.each(['sha1', 'sha256', 'sha384', 'sha512'])('with %s is accepted', (method) => {
    expect(isSigned(body, `${method}=${signed(method)}`, 'key')).toBe(true)
    expect(isSigned(body, ` ${method.toUpperCase()}=${signed(method).toUpperCase()} `, 'key')).toBe(true)
    expect(isSigned(body, `${method}=${signed(method, 'other')}`, 'key')).toBe(false)
    expect(isSigned(Buffer.from('<rss> />'), `${method}=${signed(method)}`, 'key')).toBe(false)
  })

  it('in any other form is rejected', () => {
    const invalidHeaders = [
      '',
      'sha256',
      'sha256=',
      `md5=${signed('md5')}`,
      signed('sha256'),
      `sha1=${signed('sha256')}`,
    ]
    for (const header of [undefined, ...invalidHeaders]) expect(isSigned(body, header, 'key')).toBe(false)
    fc.assert(fc.property(fc.string(), (text) => !isSigned(body, text, 'key')))
    fc.assert(fc.property(fc.stringMatching(/^[0-9a-f]{1,130}$/), (hex) => !isSigned(body, `sha256=${hex}`, 'key')))
  })
})

it('counts statistics: delays of entries, missed entries, renewals, failures', () => {
  const dates = [now - 5 * SECOND, now - 20 * SECOND, now - HOUR, now - DAY, now - 30 * DAY]
  const pushed = afterPush(active, [...dates.map((publishedAt) => ({ publishedAt })), {}], now)
  expect(pushed.quality).toMatchObject({ fresh: 6, delays: [1, 1, 0, 0, 0, 0, 1, 0, 1] }) // one was dated back
  expect(afterPush(pushed, undefined, now)).toMatchObject({ pushes: 2, quality: { empty: 1, fresh: 6 } })
  expect(afterPoll(pushed, [{}, {}], { at: now, lastAt: 0 }).quality).toMatchObject({ missed: 2, missedPolls: 1 })
  expect(confirmed(beforeHubRequest(pushed, now)).quality).toMatchObject({ renewals: 1, failures: 0 })
  expect(afterHubRequest(beforeHubRequest(pushed, now), { kind: 'timeout' }, now, 0)?.quality).toMatchObject({
    failures: 1,
  })
  expect(confirmed().quality).toBeUndefined()
})

describe('a subscription is reliable', () => {
  const at = now + 7 * HOUR
  const poll = { at, lastAt: now + HOUR }

  it('only once it has delivered something, and while the lease is valid', () => {
    expect(hubSubscriptionStatus(fresh, now)).toBe('requested')
    expect(hubSubscriptionStatus(active, now)).toBe('active')
    expect(isReliable(afterPush(active, [], now), now)).toBe(false)
    expect(isReliable(trusted, now + 2 * HOUR)).toBe(true)
    expect([isReliable(trusted, now + DAY), hubSubscriptionStatus(trusted, now + DAY)]).toEqual([false, 'requested'])
    expect(hubSubscriptionStatus(startUnsubscribing(trusted, now), now)).toBe('ending')
  })

  it('not after a poll finds what it should have delivered, until it delivers again', () => {
    const broken = afterPoll(trusted, [{ publishedAt: now + 2 * HOUR }], poll)
    expect(hubSubscriptionStatus(broken, at)).toBe('broken')
    expect(broken.dueAt).toBe(at) // the hub may have lost us
    expect(afterPoll(broken, [{}], { at: at + HOUR, lastAt: at }).dueAt).toBe(at)
    expect(isReliable(afterPush(broken, [{}], at + 1), at + 1)).toBe(true)
  })

  it.each([
    ['no new entries', [], true],
    ['an entry so recent that its push may be under way', [{ publishedAt: at - MINUTE }], true],
    ['an old entry that was not there before', [{ publishedAt: now - DAY }], true],
    ['an entry without a date', [{}], false],
    ['an entry published since the previous poll', [{ publishedAt: now + 2 * HOUR }], false],
  ])('after a poll that found %s', (_, found, stays) => {
    expect(isReliable(afterPoll(trusted, found, poll), at)).toBe(stays)
  })
})
