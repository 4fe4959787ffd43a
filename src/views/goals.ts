/**
 * What is wanted of feeds and folders, what it costs in polls, and whether the budget is enough: by the scheduler of the crawl, asked
 * as it would ask itself, so what is said before a goal is set is what happens after.
 */
import type { GoalsShape } from '../api/index.ts'
import {
  type Instant,
  type Millis,
  type Schedule,
  type ScheduledFeed,
  type Wants,
  withoutSecrets,
} from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { yieldToEventLoop } from '../runtime/index.ts'
import {
  createScheduler,
  forecastWeek,
  type Limits,
  MOST_FOR_GOALS,
  ofNearestFolder,
  type Scheduler,
  strategyNamed,
  surveyFeeds,
  type Terms,
  troubleWithStrategy,
  type WeekAhead,
} from '../scheduling/index.ts'

type GoalLine = Omit<GoalsShape['lines'][number], 'wants'> & { wants: Wants }

/** A goal as if somebody had set it, to know its price; 0: as if there were none. */
export type SupposedGoal = { folder: string; goalMs: Millis } | { feedId: number; goalMs: Millis }

export interface GoalSettings {
  limits: Limits
  budget: number | 'auto'
  now: Instant
}

/** Looks through the feeds twice, yielding to the event loop in between. */
export async function goalReport(
  { marketBook, catalogue }: Pick<Roles, 'marketBook' | 'catalogue'>,
  { limits, budget, now }: GoalSettings,
  supposed?: SupposedGoal,
): Promise<GoalsShape> {
  const folders = new Map(await marketBook.folders())
  if (supposed && 'folder' in supposed)
    folders.set(supposed.folder, withGoal(folders.get(supposed.folder), supposed.goalMs))
  const feeds = () => supposedFeeds(catalogue.everyFeed(), supposed)
  const scheduler = createScheduler({ limits }, now)
  scheduler.name(budget)
  const market = await marketBook.market()
  if (market) scheduler.resume(market, now)
  scheduler.want(folders)
  const counts = await catalogue.counts()
  const { active } = counts.feeds
  scheduler.countFeeds(active)
  await surveyFeeds(scheduler, feeds(), { feeds: active, learnt: active - counts.unpolled }, now, yieldToEventLoop)
  const lines = await linesOf(feeds(), folders, scheduler, now)
  const { goalStretch } = scheduler.market()
  const delayMs = scheduler.delayExpected()
  return {
    ...lines,
    budget,
    ...(goalStretch > 1 && { goalStretch, needed: Math.ceil((lines.pollsForGoals * goalStretch) / MOST_FOR_GOALS) }),
    ...(delayMs !== undefined && { delayMs: Math.round(delayMs) }),
  }
}

async function* supposedFeeds(
  feeds: AsyncIterable<ScheduledFeed>,
  supposed: SupposedGoal | undefined,
): AsyncIterable<ScheduledFeed> {
  for await (const held of feeds) {
    const isMeant = supposed && 'feedId' in supposed && supposed.feedId === held.feed.id
    yield isMeant ? { ...held, feed: { ...held.feed, wants: withGoal(held.feed.wants, supposed.goalMs) } } : held
  }
}

async function linesOf(
  feeds: AsyncIterable<ScheduledFeed>,
  folders: ReadonlyMap<string, Wants>,
  scheduler: Scheduler,
  now: Instant,
): Promise<Pick<GoalsShape, 'lines' | 'pollsPerDay' | 'pollsForGoals'>> {
  const byFolder = new Map([...folders].map(([folder, wants]) => [folder, emptyLine({ folder }, wants)]))
  const ofFeeds: GoalTotals[] = []
  const report = { pollsPerDay: 0, pollsForGoals: 0 }
  for await (const { feed, schedule } of feeds) {
    if (feed.state !== 'active') continue
    const folder = ofNearestFolder(byFolder, feed.folder)
    const line = feed.wants
      ? emptyLine({ feedId: feed.id, title: feed.title || withoutSecrets(feed.url) }, feed.wants)
      : undefined
    if (line) ofFeeds.push(line)
    const terms = scheduler.terms(feed, now)
    const week = weekOf(schedule, terms)
    const polls = week ? week.polls.reduce((sum, one) => sum + one, 0) / 7 : 0
    report.pollsPerDay += polls
    if (terms.goalMs !== undefined) report.pollsForGoals += polls
    for (const one of [folder, line]) if (one) addTo(one, polls, week)
  }
  return { lines: [...byFolder.values(), ...ofFeeds].map(lineOf), ...report }
}

/** Of one that has been polled, by a strategy that this version knows. */
function weekOf({ strategy, memory, succeededAt }: Schedule, terms: Terms): WeekAhead | undefined {
  if (succeededAt === undefined || troubleWithStrategy(strategy)) return undefined
  return forecastWeek(strategyNamed(strategy), memory, succeededAt, terms)
}

function withGoal({ goalMs: _, ...wants }: Wants = {}, goalMs: Millis): Wants {
  return goalMs > 0 ? { ...wants, goalMs } : wants
}

interface GoalTotals {
  line: GoalLine
  entries: number
  waitedMs: number
}

function emptyLine(of: GoalLine['of'], wants: Wants): GoalTotals {
  return { line: { of, wants, feeds: 0, pollsPerDay: 0 }, entries: 0, waitedMs: 0 }
}

function addTo(counted: GoalTotals, polls: number, week: WeekAhead | undefined): void {
  counted.line.feeds++
  counted.line.pollsPerDay += polls
  counted.entries += week?.entries ?? 0
  counted.waitedMs += (week?.entries ?? 0) * (week?.delayMs ?? 0)
}

function lineOf({ line, entries, waitedMs }: GoalTotals): GoalLine {
  return entries > 0 ? { ...line, delayMs: Math.round(waitedMs / entries) } : line
}
