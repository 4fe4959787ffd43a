import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { auditRoot, type RootVisit } from './index.ts'

const START = 1000 * DAY
const visit = (at: number, feedId = 1, changes: Partial<RootVisit> = {}): RootVisit => ({
  at: START + at,
  feedId,
  tenant: 'a.example',
  ...changes,
})
const audit = (visits: RootVisit[], rule: number) =>
  auditRoot(visits, 2 * SECOND).find((judgement) => judgement.rule === rule)

it('rule 20: a domain has one gap across all its feeds', () => {
  const log = [visit(5 * SECOND, 2), visit(0), visit(6 * SECOND, 3)]
  expect(audit(log, 20)).toEqual({ rule: 20, passed: 1, checked: 2, worst: { at: START + 6 * SECOND, ms: SECOND } })
})

it('rule 21: no minute contains more polls than the gap allows', () => {
  const spaced = Array.from({ length: 100 }, (_, i) => visit(i * 2 * SECOND, i))
  expect(audit(spaced, 21)).toMatchObject({ passed: 100, checked: 100 })
  const burst = Array.from({ length: 100 }, (_, i) => visit(i * 100, i))
  expect(audit(burst, 21)?.passed).toBe(31)
  expect(audit([visit(0), visit(MINUTE)], 21)).toMatchObject({ checked: 0 })
})

it('rule 15: a 429 pauses all feeds of that server, but not other tenants', () => {
  const requestedPause = { until: START + HOUR, of: 'a.example' }
  expect(audit([visit(0, 1, { requestedPause }), visit(MINUTE, 2)], 15)).toMatchObject({
    passed: 0,
    checked: 1,
    worst: { ms: 59 * MINUTE },
  })
  expect(audit([visit(0, 1, { requestedPause }), visit(HOUR, 2)], 15)).toEqual({ rule: 15, passed: 1, checked: 1 })
  expect(audit([visit(0, 1, { requestedPause }), visit(MINUTE, 2, { tenant: 'b.example' })], 15)).toMatchObject({
    checked: 0,
  })
})
