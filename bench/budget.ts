/**
 * The delay of entries under a given budget: `node bench/budget.ts [--feeds 40] [--days 21] [--crawl]`.
 *
 * Invented sites of one country (weekdays 8 to 18 h, 2 to 20 entries a day), half of them around the clock, and eight that publish exactly
 * on the hour, polled by `tide` with several budgets; the peer is a fixed interval with as many polls. Only the second half of the days
 * counts. By default the lab drives the scheduler; with --crawl the real controller, store and queue run through the same days on a clock
 * that jumps, which takes minutes and gives the same polls.
 */
import { parseArgs } from 'node:util'
import { runLiveCrawl } from '../src/lab/index.ts'
import { runScheduled } from '../src/lab/scheduled-run.ts'
import { DAY, HOUR, type Instant, MINUTE } from '../src/model/index.ts'
import { LIMITS } from '../src/scheduling/index.ts'
import { asHistories, type Habit, inventedHistories, MONDAY, type WorldFeed } from '../test/posting-histories.ts'

const { values } = parseArgs({
  options: { feeds: { type: 'string' }, days: { type: 'string' }, crawl: { type: 'boolean' } },
})
const FEEDS = Number(values.feeds ?? 40)
const DAYS = Number(values.days ?? 21)
const SCORED_FROM = MONDAY + (DAYS / 2) * DAY
const OFFICE: Habit = { kind: 'office', zone: 0, least: 2, most: 20 }
const FAILING_CRAWLS: Record<string, WorldFeed[]> = {
  'one country': inventedHistories([{ habit: OFFICE, feeds: FEEDS }], DAYS, 1),
  'half around the clock': inventedHistories(
    [
      { habit: OFFICE, feeds: FEEDS / 2 },
      { habit: { kind: 'around-the-clock', least: 2, most: 20 }, feeds: FEEDS / 2 },
    ],
    DAYS,
    1,
  ),
  'eight, on the hour': inventedHistories([{ habit: { kind: 'hourly' }, feeds: 8 }], DAYS, 1),
}

interface Row {
  polls: Instant[][]
  promisedMs?: number
}

async function polled(world: WorldFeed[], strategy: string, pollsPerDay: number | 'auto'): Promise<Row> {
  if (values.crawl) {
    const span = { from: MONDAY, to: MONDAY + DAYS * DAY, window: 30, limits: LIMITS, price: HOUR }
    return runLiveCrawl(
      world.map(({ published }) => Array.from(published)),
      strategy,
      span,
      { pollsPerDay },
    )
  }
  const polls: Instant[][] = world.map(() => [])
  const promised: number[] = []
  runScheduled(
    asHistories(world, strategy, (i) => ({ onPoll: ({ at }) => polls[i]!.push(at) })),
    {
      startAt: MONDAY,
      endAt: MONDAY + DAYS * DAY,
      limits: LIMITS,
      pollsPerDay,
      onSettled: (at, scheduler) => {
        const delayMs = scheduler.delayExpected()
        if (at >= SCORED_FROM && delayMs !== undefined) promised.push(delayMs)
      },
    },
  )
  return { polls, ...(promised.length > 0 && { promisedMs: promised.reduce((a, b) => a + b) / promised.length }) }
}

function figures(world: WorldFeed[], { polls, promisedMs }: Row, pollsPerDay: number | 'auto') {
  const delays: number[] = []
  const byHour = new Map<number, number[]>()
  for (const [i, { published }] of world.entries()) {
    let next = 0
    for (const at of published) {
      while (next < polls[i]!.length && polls[i]![next]! < at) next++
      const found = polls[i]![next]
      if (at < SCORED_FROM || found === undefined) continue
      delays.push(found - at)
      const hour = Math.floor(at / HOUR) % 24
      byHour.set(hour, [...(byHour.get(hour) ?? []), found - at])
    }
  }
  delays.sort((a, b) => a - b)
  const mean = (some: number[]) => some.reduce((a, b) => a + b, 0) / Math.max(1, some.length)
  const minutes = (ms: number | undefined) => (ms === undefined ? '' : (ms / MINUTE).toFixed(1))
  const scored = polls.flat().filter((at) => at >= SCORED_FROM).length / (DAYS / 2)
  const weeks = Array.from({ length: Math.floor(DAYS / 7) }, (_, week) => {
    const from = MONDAY + 7 * week * DAY
    const made = polls.flat().filter((at) => at >= from && at < from + 7 * DAY).length / 7
    return pollsPerDay === 'auto' ? made.toFixed(0) : `${((100 * made) / pollsPerDay - 100).toFixed(1)} %`
  })
  return {
    budget: pollsPerDay === 'auto' ? 'auto' : `${pollsPerDay}/d`,
    'polls a day': scored.toFixed(0),
    'mean delay, min': minutes(mean(delays)),
    'p90, min': minutes(delays[Math.floor(0.9 * delays.length)]),
    'worst hour, min': minutes(Math.max(...[...byHour.values()].map(mean))),
    'promised, min': minutes(promisedMs),
    'off the budget, by week': weeks.join(', '),
  }
}

for (const [name, world] of Object.entries(FAILING_CRAWLS)) {
  const budgets = world.length === 8 ? [57, 160, 320] : [4, 12, 24, 48].map((times) => times * FEEDS)
  const rows = []
  for (const budget of ['auto', ...budgets] as const)
    rows.push({ strategy: 'tide', ...figures(world, await polled(world, 'tide', budget), budget) })
  const fixed = `fixed:${Math.round((world.length * 24 * 60) / budgets[1]!)}m`
  rows.push({ strategy: fixed, ...figures(world, await polled(world, fixed, 'auto'), 'auto') })
  console.log(`\n${name}: ${world.length} feeds, ${DAYS} days${values.crawl ? ', the real controller' : ''}`)
  console.table(rows)
}
