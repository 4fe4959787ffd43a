/** What is wanted of feeds and folders, and what it costs in polls. */
import type { GoalsShape } from '../api/index.ts'
import { DAY, type Instant, type Millis, type Schedule, type Wants } from '../model/index.ts'
import {
  type Limits,
  ofNearestFolder,
  pollsExpected,
  strategyNamed,
  type Terms,
  termsOf,
  troubleWithStrategy,
} from '../polling/index.ts'
import { createStretch, type Roles } from '../ports/index.ts'

type GoalLine = Omit<GoalsShape['lines'][number], 'wants'> & { wants: Wants }

/** A goal as if somebody had set it, to know its price; 0: as if there were none. */
export type SupposedGoal = { folder: string; goalMs: Millis } | { feedId: number; goalMs: Millis }

/** Looks at every feed once, with turns for others in between: what a strategy would do in a day takes its time. */
export async function goalReport(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, budget }: { limits: Limits; budget: number | 'auto' },
  supposed?: SupposedGoal,
): Promise<GoalsShape> {
  const price = (await marketBook.market())?.price
  const folders = new Map(await marketBook.folders())
  if (supposed && 'folder' in supposed)
    folders.set(supposed.folder, withGoal(folders.get(supposed.folder), supposed.goalMs))
  const byFolder = new Map([...folders].map(([folder, wants]) => [folder, emptyLine({ folder }, wants)]))
  const ofFeeds: GoalLine[] = []
  const report = { pollsPerDay: 0, pollsForGoals: 0 }
  const stretch = createStretch()
  for await (const { feed: known, schedule } of catalogue.everyFeed()) {
    if (stretch.isOver()) await stretch.pause()
    if (known.state !== 'active') continue
    const isMeant = supposed && 'feedId' in supposed && supposed.feedId === known.id
    const feed = isMeant ? { ...known, wants: withGoal(known.wants, supposed.goalMs) } : known
    const folder = ofNearestFolder(byFolder, feed.folder)
    const line = feed.wants ? emptyLine({ feedId: feed.id, title: feed.title || feed.url }, feed.wants) : undefined
    if (line) ofFeeds.push(line)
    const at = schedule.succeededAt
    const terms = termsOf(feed, folder?.wants, limits, schedule.because?.price ?? price ?? 0)
    const isKnown = at !== undefined && !troubleWithStrategy(schedule.strategy) // one of a later version is not
    const polls = isKnown ? pollsPerDayOf(schedule, at, terms) : 0
    report.pollsPerDay += polls
    if (terms.goalMs !== undefined) report.pollsForGoals += polls
    for (const one of [folder, line]) if (one) addTo(one, polls)
  }
  const lines = [...byFolder.values(), ...ofFeeds].map(withDelay)
  return { lines, ...report, budget }
}

/** What the strategy says, or else what it would do in a day. */
function pollsPerDayOf({ strategy: name, memory, dueAt }: Schedule, at: Instant, terms: Terms): number {
  const strategy = strategyNamed(name)
  const expected = strategy.expect?.(memory, at, dueAt, terms)
  if (expected) return expected.pollsPerDay
  const { following, others } = pollsExpected(strategy, memory, at, terms)
  return following + others
}

function withGoal({ goalMs: _, ...wants }: Wants = {}, goalMs: Millis): Wants {
  return goalMs > 0 ? { ...wants, goalMs } : wants
}

function emptyLine(of: GoalLine['of'], wants: Wants): GoalLine {
  return { of, wants, feeds: 0, pollsPerDay: 0 }
}

function addTo(line: GoalLine, polls: number): void {
  line.feeds++
  line.pollsPerDay += polls
}

/** Half of the mean interval: less, where the polls come when the entries do. */
function withDelay(line: GoalLine): GoalLine {
  return line.pollsPerDay > 0 ? { ...line, delayMs: (DAY * line.feeds) / line.pollsPerDay / 2 } : line
}
