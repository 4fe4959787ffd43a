import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { auditDue, longestSilenceMs, type TrustEvidence, type TrustState, trustAfter } from './index.ts'

type Server = (at: Instant, sent: string | undefined) => { status: number; etag: string; news: number }

/** Polls a server like the crawl does; the state passes through JSON as in a store. */
function simulatePolls(days: number, everyMs: number, server: Server) {
  let memory: TrustState | undefined
  let etag: string | undefined
  let knownCount = 0
  const bodies: Instant[] = []
  const audits: Instant[] = []
  for (let at = 1; at < days * DAY; at += everyMs) {
    const audit = auditDue(memory, at, 0.5)
    if (audit) audits.push(at)
    const conditional = etag !== undefined && !audit && memory?.trust !== 'lies'
    const answer = server(at, conditional ? etag : undefined)
    const hasBody = answer.status === 200
    if (hasBody) bodies.push(at)
    const seen: TrustEvidence = {
      conditional,
      status: answer.status,
      bodyChanged: hasBody && answer.news !== knownCount,
      sameValidators: answer.etag === etag,
    }
    memory = JSON.parse(JSON.stringify(trustAfter(memory, seen, at))) as TrustState
    if (hasBody) [etag, knownCount] = [answer.etag, answer.news]
  }
  return { memory: memory!, bodies, audits, known: knownCount }
}

/** New entries every `days`. */
const honest =
  (days: number): Server =>
  (at, sent) => {
    const news = Math.floor(at / (days * DAY))
    return { status: sent === `"${news}"` ? 304 : 200, etag: `"${news}"`, news }
  }
const constantTag: Server = (at, sent) => ({ status: sent ? 304 : 200, etag: '"x"', news: Math.floor(at / DAY) })
const always304: Server = (at, sent) => ({ ...honest(1)(at, undefined), status: sent ? 304 : 200 })
const neverAnswers304: Server = (at) => ({ ...honest(3)(at, undefined), status: 200 })

describe('rule 38: the audit', () => {
  it('comes about once a week while nothing happens', () => {
    const { audits, memory } = simulatePolls(56, HOUR, honest(10_000))
    expect(audits.length).toBeGreaterThanOrEqual(5)
    expect(audits.length).toBeLessThanOrEqual(8)
    expect(memory.trust).toBe('honest')
  })
  it('is skipped where bodies arrive anyway', () => {
    expect(simulatePolls(56, HOUR, honest(3)).audits).toEqual([])
  })
  it('waits for many 304s where polls are rare', () => {
    const { audits } = simulatePolls(200, 2 * DAY, honest(10_000))
    expect(audits[0]).toBeGreaterThan(40 * DAY)
  })
  it('has jitter, and is never early', () => {
    const quiet: TrustState = { trust: 'honest', bodyAt: 0, quiet: 99, doubts: 0, repeats: 0 }
    expect(auditDue(quiet, 7 * DAY - 1, 0)).toBe(false)
    expect(auditDue(quiet, 7 * DAY, 0)).toBe(true)
    expect(auditDue(quiet, 7 * DAY, 0.9)).toBe(false)
    expect(auditDue(quiet, 9 * DAY, 0.9)).toBe(true)
    expect(auditDue({ ...quiet, quiet: 3 }, 90 * DAY, 0)).toBe(false)
    expect(auditDue(undefined, 90 * DAY, 0)).toBe(false)
  })
  it('detects a server whose ETag stays while its feed changes, and misses nothing from then on', () => {
    const { memory, audits, known } = simulatePolls(30, HOUR, constantTag)
    expect([memory.trust, audits.length, known]).toEqual(['lies', 1, 29])
  })
  it('detects a server that always answers 304, within days of the first doubt', () => {
    const { memory, audits, known } = simulatePolls(30, HOUR, always304)
    expect([memory.trust, audits.length, known]).toEqual(['lies', 3, 29])
    expect(audits[2]! - audits[0]!).toBeLessThan(3 * DAY)
  })
  it('does not accuse a feed that published just before the audit', () => {
    let memory = trustAfter(undefined, { conditional: false, status: 200, bodyChanged: true, sameValidators: false }, 0)
    for (let i = 0; i < 30; i++)
      memory = trustAfter(memory, { conditional: true, status: 304, bodyChanged: false, sameValidators: true }, i)
    memory = trustAfter(memory, { conditional: false, status: 200, bodyChanged: true, sameValidators: false }, 9 * DAY)
    expect(memory).toMatchObject({ trust: 'honest', doubts: 1 })
    memory = trustAfter(memory, { conditional: true, status: 200, bodyChanged: true, sameValidators: false }, 10 * DAY)
    expect(memory.doubts).toBe(0)
  })
  it('accuses no server that sent no 304', () => {
    const news: TrustEvidence = { conditional: false, status: 200, bodyChanged: true, sameValidators: true }
    let memory: TrustState | undefined
    for (let i = 0; i < 50; i++) memory = trustAfter(memory, news, i * HOUR)
    expect(memory?.trust).toBe('honest')
  })
})

describe('rule 37: servers that ignore validators', () => {
  it('are detected by repeated bodies', () => {
    const { memory, audits } = simulatePolls(30, HOUR, neverAnswers304)
    expect([memory.trust, audits]).toEqual(['useless', []])
  })
  it('are honest again after one 304', () => {
    const useless: TrustState = { trust: 'useless', bodyAt: 0, quiet: 0, doubts: 0, repeats: 5 }
    const after = trustAfter(useless, { conditional: true, status: 304, bodyChanged: false, sameValidators: true }, 1)
    expect(after).toMatchObject({ trust: 'honest', repeats: 0 })
  })
  it('are not judged by other responses', () => {
    const before: TrustState = { trust: 'honest', bodyAt: 0, quiet: 7, doubts: 1, repeats: 0 }
    for (const status of [500, 404, 429, 206])
      expect(trustAfter(before, { conditional: true, status, bodyChanged: false, sameValidators: true }, 1)).toEqual(
        before,
      )
  })
})

describe('an unusual silence', () => {
  const busy: TrustState = { trust: 'honest', bodyAt: 0, quiet: 20, doubts: 0, repeats: 0, usualMs: 3 * HOUR }

  it.each<[string, Partial<TrustState>, number, boolean]>([
    ['brings the audit forward', {}, 6 * HOUR, true],
    ['not while it is normal', {}, 6 * HOUR - 1, false],
    ['not before twenty 304s', { quiet: 19 }, 6 * HOUR, false],
    ['not within two hours', { usualMs: 60_000 }, 2 * HOUR - 1, false],
    ['never delays the audit', { usualMs: 30 * DAY }, 7 * DAY, true],
  ])('%s', (_, changes, at, due) => {
    expect(auditDue({ ...busy, ...changes }, at, 0)).toBe(due)
  })

  it('counts as normal once an audit has found nothing', () => {
    const seen = { conditional: false, status: 200, bodyChanged: false, sameValidators: true }
    expect(trustAfter(busy, seen, 8 * HOUR)).toMatchObject({ trust: 'honest', usualMs: 8 * HOUR })
    expect(trustAfter(busy, { ...seen, bodyChanged: true }, 8 * HOUR).usualMs).toBe(3 * HOUR)
  })

  it.each<[string, number[], number, number | undefined]>([
    ['between two entries', [0, 1, 2, 9, 10], 10, 7],
    ['up to the current time', [0, 1, 2, 3, 4], 20, 16],
    ['undefined for few entries', [0, 1, 2, 9], 10, undefined],
    ['undefined for entries with one date', [5, 5, 5, 5, 5, 5], 10, undefined],
  ])('is the longest: %s', (_, dates, at, longest) => {
    expect(longestSilenceMs(dates, at)).toBe(longest)
  })
})
