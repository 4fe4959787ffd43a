import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../model/index.ts'
import { LIMITS } from '../../scheduling/index.ts'
import { type AlignedTrace, alignTrace, planOf } from '../aligned-trace.ts'
import { generateTraces } from '../village/generated-traces.ts'
import { adaptations, latencies, ratePerDay } from './adaptation.ts'
import { paperPage } from './markdown-report.ts'
import { countFinds, isBusy, sampleInPaperMix, trafficWith, withBusyFeeds } from './paper-mix.ts'
import { roundTimes } from './round-time.ts'
import { studyPapers } from './study.ts'

const plan = planOf(7 * DAY, 21 * DAY)
const traces = [...generateTraces({ feeds: 60, days: 60, seed: 2, now: Date.UTC(2026, 0, 1) })]
const feeds = traces.flatMap((trace) => alignTrace(trace, plan, 1) ?? [])

/** With this many entries in the scored period, evenly spaced. */
function feedWith(entryCount: number): AlignedTrace {
  const items = Math.floor(entryCount)
  const step = (plan.endAt - plan.scoreAt) / items
  const published = Float64Array.from({ length: items }, (_, i) => plan.scoreAt + i * step + 1)
  return { feed: `${items}`, kind: '', window: 20, published, firstAt: plan.startAt, known: 0 }
}

describe('the mix of the paper', () => {
  const sampleFeeds = Array.from({ length: 1000 }, (_, i) =>
    feedWith(i % 100 === 0 ? 1200 : 1 + (i % 30) ** 2 / 30 + (i % 7)),
  )

  it('needs the polls per item stated in the paper, by feeds and by polls', () => {
    const mixed = sampleInPaperMix(sampleFeeds, plan, 1)
    const polls = (plan.endAt - plan.scoreAt) / HOUR
    const items = mixed.map(({ published }) => published.length)
    const totalItems = items.reduce((sum, n) => sum + n, 0)
    const byFeeds = items.reduce((sum, n) => sum + polls / n, 0) / mixed.length
    for (const times of [byFeeds / 222.06, (polls * mixed.length) / totalItems / 21.02]) {
      expect(times).toBeGreaterThan(0.85)
      expect(times).toBeLessThan(1.15)
    }
  })

  it("has, with busy feeds, the paper's number of items and of hourly polls with news", () => {
    const mixed = sampleInPaperMix(sampleFeeds, plan, 1)
    const busier = withBusyFeeds(mixed, sampleFeeds, plan)
    expect(busier).toHaveLength(mixed.length)
    const items = busier.reduce((sum, { published }) => sum + published.length, 0) / busier.length
    expect(items / 106).toBeGreaterThan(0.85)
    expect(items / 106).toBeLessThan(1.15)
    const { pollsPerFind, perFindMs, perPollMs } = countFinds(busier, 'fixed:1h', plan, LIMITS)
    expect(pollsPerFind / 21.02).toBeGreaterThan(0.85)
    expect(pollsPerFind / 21.02).toBeLessThan(1.15)
    for (const delayMs of [perFindMs, perPollMs]) expect(delayMs).toBeLessThanOrEqual(HOUR)
    const busy = busier.filter(isBusy)
    expect(busy.length).toBeGreaterThan(0)
    const [busyOnly, everything] = [
      countFinds(busy, 'moving-average', plan, LIMITS),
      countFinds(busier, 'moving-average', plan, LIMITS),
    ]
    expect(busyOnly.perFindMs).toBeLessThan(everything.perPollMs)
  })

  it('is unchanged without busy feeds', () => {
    const slow = sampleFeeds.filter(({ published }) => published.length < 300)
    expect(withBusyFeeds(slow, slow, plan)).toEqual(slow)
  })

  it('costs the whole document per poll if a server does not support 304', () => {
    const tally = { polls: 21, finds: 0, items: 0, delayMs: 0, missed: 0, unseen: 0, waitMs: 0, bytes: 21 * 700 }
    expect(trafficWith(0, [feedWith(1)], [tally], plan, 1)).toBe(700)
    expect(trafficWith(1, [feedWith(1)], [tally], plan, 1)).toBe(700 + 1000 + 20 * 350)
  })
})

describe('a feed under advaRSS', () => {
  it('is shown with M, T and ToE for each poll', () => {
    const [often, , rarely] = adaptations(feeds, plan, LIMITS)
    expect(often!.pollsPerDay).toBeGreaterThan(rarely!.pollsPerDay)
    for (const { M, ToE, fresh, T } of often!.polls) {
      expect(ToE).toBe(Math.ceil(M))
      if (fresh > 0) expect(T).toBe(1)
    }
    expect(often!.hours.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6)
  })

  it('reports its worst latencies, longest first', () => {
    const { worstMs, meanMs, polls } = latencies(feeds, plan, LIMITS)
    expect(worstMs).toHaveLength(10)
    expect(worstMs).toEqual(worstMs.toSorted((a, b) => b - a))
    expect(meanMs).toBeLessThan(worstMs.at(-1)!)
    expect(polls.reduce((sum, pace) => sum + pace.feeds, 0)).toBe(feeds.length)
  })
})

describe('all experiments', () => {
  it('are on one page, next to the figures of the papers', async () => {
    const rounds = (share: number) => roundTimes(share, 12, 0)
    const options = { seed: 1, limits: LIMITS, warmupMs: 7 * DAY, scoreMs: 21 * DAY, rounds }
    const study = await studyPapers(traces, options, { workerCount: 0 })
    expect(study.rounds.rows.map(({ requested }) => requested)).toEqual([12, 12, expect.any(Number)])
    const page = paperPage(study)
    for (const text of ['74h37m; 1.96; 8,773', '1.334', '27m to 35m', 'ToE', '90 %', '10 s'])
      expect(page).toContain(text)
    expect(page).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('omit statements about missing feeds', async () => {
    const rounds = (share: number) => roundTimes(share, 12, 0)
    const options = { seed: 1, limits: LIMITS, warmupMs: 7 * DAY, scoreMs: 21 * DAY, rounds }
    const slow = traces.filter((trace) => {
      const aligned = alignTrace(trace, plan, 1)
      return aligned !== undefined && ratePerDay(aligned, plan) < 1
    })
    const page = paperPage(await studyPapers(slow, options, { workerCount: 0 }))
    expect(page).toContain('**A feed that posts often in a day** is not among these.')
    expect(page).toContain('None of these feeds is as busy')
    expect(page).not.toMatch(/busy feeds that decide it|On busy feeds alone/)
    expect(page).toMatch(/^\| fifty and more \| 0 \|( – \|)+$/m)
  })
})
