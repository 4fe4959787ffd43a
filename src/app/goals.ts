/** What is wanted of feeds and folders, and what it costs in polls; for who only reads. */
import { DAY, type Instant, type Millis, type Schedule, type Wants } from '../model/index.ts'
import {
  foldersRound,
  type Limits,
  ofNearestFolder,
  pollsExpected,
  strategyNamed,
  type Terms,
  termsOf,
  troubleWithStrategy,
} from '../polling/index.ts'
import type { Roles } from '../ports/index.ts'
import type { Config } from './config.ts'

type Wanted = Pick<Roles, 'marketBook' | 'catalogue'>

export interface GoalLine {
  /** Of a folder or of one feed. */
  of: { folder: string } | { feedId: number; title: string }
  wants: Wants
  feeds: number
  /** Polls a day, as things are; of the feeds that have been polled. */
  pollsPerDay: number
  /** How long an entry waits, in the mean. */
  delayMs?: Millis
}

export interface GoalReport {
  lines: GoalLine[]
  /** Of all feeds, and of those with a goal. */
  pollsPerDay: number
  pollsForGoals: number
  budget: number | 'auto'
}

/** A goal as if somebody had set it, to know its price; 0: as if there were none. */
export type Supposed = { folder: string; goalMs: Millis } | { feedId: number; goalMs: Millis }

/** Looks at every feed once. */
export async function goalReport(
  { marketBook, catalogue }: Wanted,
  config: Pick<Config, 'budget' | 'minInterval' | 'maxInterval'>,
  supposed?: Supposed,
): Promise<GoalReport> {
  const { budget } = config
  const limits = limitsOf(config)
  const price = (await marketBook.market())?.price
  const folders = new Map(await marketBook.folders())
  if (supposed && 'folder' in supposed)
    folders.set(supposed.folder, withGoal(folders.get(supposed.folder), supposed.goalMs))
  const byFolder = new Map([...folders].map(([folder, wants]) => [folder, emptyLine({ folder }, wants)]))
  const ofFeeds: GoalLine[] = []
  const report = { pollsPerDay: 0, pollsForGoals: 0 }
  for await (const { feed: known, schedule } of catalogue.everyFeed()) {
    if (known.state !== 'active') continue
    const isMeant = supposed && 'feedId' in supposed && supposed.feedId === known.id
    const feed = isMeant ? { ...known, wants: withGoal(known.wants, supposed.goalMs) } : known
    const folder = ofNearestFolder(byFolder, feed.folder)
    const line = feed.wants ? emptyLine({ feedId: feed.id, title: feed.title || feed.url }, feed.wants) : undefined
    if (line) ofFeeds.push(line)
    const at = schedule.succeededAt
    const terms = termsOf(feed, folder?.wants, limits, schedule.because?.price ?? price ?? 0)
    const polls = at === undefined ? 0 : pollsPerDayOf(schedule, at, terms)
    report.pollsPerDay += polls
    if (terms.goalMs !== undefined) report.pollsForGoals += polls
    for (const one of [folder, line]) if (one) addTo(one, polls)
  }
  const lines = [...byFolder.values(), ...ofFeeds].map(withDelay)
  return { lines, ...report, budget }
}

/** What the strategy says, or else what it would do in a day; of one that this version does not know, nobody can say. */
function pollsPerDayOf({ strategy: name, memory, dueAt }: Schedule, at: Instant, terms: Terms): number {
  if (troubleWithStrategy(name)) return 0
  const strategy = strategyNamed(name)
  const expected = strategy.expect?.(memory, at, dueAt, terms)
  if (expected) return expected.pollsPerDay
  const { following, others } = pollsExpected(strategy, memory, at, terms)
  return following + others
}

/** All folders in which there are feeds, or of which something is wanted, and those round them. */
export async function foldersIn({ marketBook, catalogue }: Wanted): Promise<string[]> {
  const found = new Set<string>((await marketBook.folders()).keys())
  for await (const { feed } of catalogue.everyFeed())
    if (feed.folder && !found.has(feed.folder)) for (const one of foldersRound(feed.folder)) found.add(one)
  return [...found].sort()
}

export function limitsOf({ minInterval, maxInterval }: Pick<Config, 'minInterval' | 'maxInterval'>): Limits {
  return { minMs: minInterval, maxMs: maxInterval }
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
