/**
 * Generates traces from many villages, to try the lab without recorded histories. They are artificial, and more
 * regular than real feeds; only real ones show how good strategies are.
 */
import { DAY, HOUR, type Instant, MINUTE, type Millis } from '../../model/index.ts'
import { wholeSecond } from '../instants.ts'
import type { Trace } from '../traces/trace.ts'
import { publishingTimes } from './publishing-times.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'
import type { Rhythm } from './spec.ts'

export interface GeneratedTracesOptions {
  feeds: number
  days: number
  seed: number
  /** The histories end with the day before this. */
  now: Instant
}

export function* generateTraces({ feeds, days, seed, now }: GeneratedTracesOptions): Iterable<Trace> {
  const lastDay = Math.floor(now / DAY) - 1
  for (let i = 0; i < feeds; i++) {
    const chance = seededRandom(seed, 'county', i)
    const { kind, rhythm, window } = habit(chance)
    const zoneMs = Math.round(chance.next() * 24 - 12) * HOUR
    const feed = `http://${kind}-${i + 1}.village.localhost/feed`
    const published: Instant[] = []
    for (let day = lastDay - days; day <= lastDay; day++)
      for (const at of publishingTimes(rhythm, day, DAY, seededRandom(seed, feed, day)))
        if (at + zoneMs < (lastDay + 1) * DAY) published.push(wholeSecond(at + zoneMs))
    if (published.length > 0)
      yield { feed, kind, source: 'village', window, published: Float64Array.from(published).sort() }
  }
}

function habit(chance: SeededRandom): { kind: string; rhythm: Rhythm; window: number } {
  const perDay = (least: number, most: number) => least * (most / least) ** chance.next()
  const everyMs = (least: Millis, most: Millis) => Math.round(perDay(least, most) / MINUTE) * MINUTE
  const hour = chance.below(24)
  switch (chance.pick(['news', 'news', 'agency', 'blog', 'blog', 'diary', 'podcast', 'forum', 'clock'] as const)) {
    case 'news':
      return { kind: 'news', rhythm: { kind: 'office-hours', perDay: perDay(2, 60) }, window: 20 }
    case 'agency':
      return { kind: 'news', rhythm: { kind: 'round-the-clock', perDay: perDay(10, 150) }, window: 30 }
    case 'blog':
      return { kind: 'blog', rhythm: { kind: 'office-hours', perDay: perDay(0.4, 1), weekends: true }, window: 10 }
    case 'diary':
      return { kind: 'blog', rhythm: { kind: 'daily', hour }, window: 10 }
    case 'podcast':
      return { kind: 'podcast', rhythm: { kind: 'weekly', weekday: chance.below(7), hour }, window: 50 }
    case 'forum':
      return { kind: 'forum', rhythm: { kind: 'bursts', perDay: perDay(5, 60) }, window: 25 }
    case 'clock':
      return { kind: 'other', rhythm: { kind: 'clockwork', everyMs: everyMs(30 * MINUTE, 2 * DAY) }, window: 24 }
  }
}
