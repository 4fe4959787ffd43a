import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../model/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { type Findings, listWeeks } from '../findings.ts'
import { replayTraces } from '../replay-traces.ts'
import { generateTraces } from '../village/generated-traces.ts'
import { evenNumbers, roundNumbers } from './markup.ts'
import { reportPage } from './page.ts'
import { paletteOf } from './palette.ts'

const HOSTILE = '</script><script>alert(1)</script>"\' onload=x'

describe('the report', () => {
  let findings: Findings
  let page: string
  beforeAll(async () => {
    const traces = [...generateTraces({ feeds: 12, days: 40, seed: 2, now: Date.UTC(2026, 0, 1) })]
    for (const trace of traces) trace.kind = HOSTILE
    const files = [{ file: `/somewhere/${HOSTILE}`, feeds: 12, repaired: 1, refused: 2 }]
    const options = {
      strategies: ['moving-average', 'sqrt-rate', 'fixed'],
      budgets: [{ kind: 'match' as const, strategy: 'moving-average' }],
      warmupMs: 7 * DAY,
      scoreMs: 14 * DAY,
      seed: 1,
      limits: LIMITS,
      thorough: true,
    }
    findings = await replayTraces({ traces, files, messages: [HOSTILE] }, options, { workerCount: 0 })
    page = reportPage(findings)
  })

  it('is one file without external resources', () => {
    expect(page).not.toMatch(/(src|href|url)\s*[=(]/i)
    expect(page).not.toMatch(/https?:/)
    expect(page).toContain("default-src 'none'")
  })

  it('contains every plot and table', () => {
    for (const title of [
      'Freshness against polls',
      'All with',
      'met as it goes',
      'Each at its own pace',
      'Predicted and actual intervals',
      'Pending articles',
      'What was replayed',
    ])
      expect(page).toContain(title)
    for (const strategy of ['moving-average', 'sqrt-rate', 'fixed']) expect(page).toContain(`data-pick="${strategy}"`)
  })

  it('draws no invalid numbers', () => {
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  it('escapes names', () => {
    expect(page).not.toContain(HOSTILE)
    expect(page.match(/<script>/g)).toHaveLength(1)
  })

  it('can be generated from the JSON, too', () => {
    expect(reportPage(JSON.parse(JSON.stringify(findings)))).toBe(page)
  })

  it('includes the actual results, if known', () => {
    const score = findings.own[0]!.all
    const today = { strategies: ['moving-average'], score, failed: 3, undated: 1 }
    expect(reportPage({ ...findings, today })).toMatch(/As it was, with [\d,]+ requests a day \(moving-average\)/)
  })
})

describe('weeks of a market', () => {
  it('are listed individually at first, then by the worst of them', () => {
    const weeks = [0.1, -0.02, 0, 0.01, -0.03, 0.02].map((off) => ({ polls: 1, off }))
    expect(listWeeks(weeks)).toEqual({ off: [0.1, -0.02, 0, 0.01], worstLater: 0.03 })
    expect(listWeeks(weeks.slice(0, 2))).toEqual({ off: [0.1, -0.02], worstLater: undefined })
  })
})

describe('names and ticks', () => {
  it('omit settings unless they are needed to distinguish strategies', () => {
    const { name } = paletteOf(['fixed', 'fixed:1d', 'posting-history:training=0'])
    expect(['fixed', 'fixed:1d', 'posting-history:training=0'].map(name)).toEqual([
      'fixed',
      'fixed:1d',
      'posting-history',
    ])
  })

  it('are round', () => {
    expect(roundNumbers(150, 30_000).map(({ label }) => label)).toEqual(['200', '500', '1k', '2k', '5k', '10k', '20k'])
    expect(evenNumbers(34).map(({ value }) => value)).toEqual([0, 10, 20, 30])
    expect(evenNumbers(0.3).map(({ label }) => label)).toEqual(['0', '0.1', '0.2', '0.3'])
  })
})
