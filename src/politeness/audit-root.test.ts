import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { auditRoot, type RootVisit } from './index.ts'

const START = 1000 * DAY
const visit = (at: number, feedId = 1, more: Partial<RootVisit> = {}): RootVisit => ({
  at: START + at,
  feedId,
  tenant: 'a.example',
  ...more,
})
const judged = (visits: RootVisit[], rule: number) =>
  auditRoot(visits, 2 * SECOND).find((judgement) => judgement.rule === rule)

it('rule 20: a domain has one gap across all its feeds', () => {
  const log = [visit(5 * SECOND, 2), visit(0), visit(6 * SECOND, 3)]
  expect(judged(log, 20)).toEqual({ rule: 20, kept: 1, of: 2, worst: { at: START + 6 * SECOND, ms: SECOND } })
})

it('rule 21: no minute contains more polls than the gap allows', () => {
  const calm = Array.from({ length: 100 }, (_, i) => visit(i * 2 * SECOND, i))
  expect(judged(calm, 21)).toMatchObject({ kept: 100, of: 100 })
  const burst = Array.from({ length: 100 }, (_, i) => visit(i * 100, i))
  expect(judged(burst, 21)?.kept).toBe(31)
  expect(judged([visit(0), visit(MINUTE)], 21)).toMatchObject({ of: 0 })
})

it('rule 15: a 429 pauses all feeds of that server, but not other tenants', () => {
  const asked = { until: START + HOUR, of: 'a.example' }
  expect(judged([visit(0, 1, { asked }), visit(MINUTE, 2)], 15)).toMatchObject({
    kept: 0,
    of: 1,
    worst: { ms: 59 * MINUTE },
  })
  expect(judged([visit(0, 1, { asked }), visit(HOUR, 2)], 15)).toEqual({ rule: 15, kept: 1, of: 1 })
  expect(judged([visit(0, 1, { asked }), visit(MINUTE, 2, { tenant: 'b.example' })], 15)).toMatchObject({ of: 0 })
})
