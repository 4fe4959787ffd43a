/**
 * Goals of feeds and folders, their cost in polls, and whether the budget is enough. Uses the scheduler of the crawl, so the forecast of a
 * goal matches what happens once it is set.
 */
import type { GoalsShape } from '../api/index.ts'
import {
  type Instant,
  type Millis,
  type PollingGoals,
  type Schedule,
  type ScheduledFeed,
  withoutSecrets,
} from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { yieldToEventLoop } from '../runtime/index.ts'
import {
  createScheduler,
  forecastWeek,
  type Limits,
  MAX_SHARE_FOR_GOALS,
  type Scheduler,
  strategyError,
  strategyNamed,
  surveyFeeds,
  type Terms,
  valueOfNearestFolder,
  type WeekForecast,
} from '../scheduling/index.ts'

type GoalLine = Omit<GoalsShape['lines'][number], 'wants'> & { wants: PollingGoals }

/** A goal to price before it is set; 0 means no goal. */
export type SupposedGoal = { folder: string; goalMs: Millis } | { feedId: number; goalMs: Millis }

export interface GoalSettings {
  limits: Limits
  budget: number | 'auto'
  now: Instant
}

/** Reads all feeds twice, yielding to the event loop in between. */
export async function goalReport(
  { pollMarket, catalogue }: Pick<Roles, 'pollMarket' | 'catalogue'>,
  { limits, budget, now }: GoalSettings,
  supposed?: SupposedGoal,
): Promise<GoalsShape> {
  const folders = new Map((await pollMarket.pollSettings()).folderGoals)
  if (supposed && 'folder' in supposed)
    folders.set(supposed.folder, withGoal(folders.get(supposed.folder), supposed.goalMs))
  const feeds = () => supposedFeeds(catalogue.everyFeed(), supposed)
  const scheduler = createScheduler({ limits }, now)
  scheduler.setBudget(budget)
  const market = await pollMarket.market()
  if (market) scheduler.resume(market, now)
  scheduler.setFolderPreferences(folders)
  const counts = await catalogue.counts()
  const { active } = counts.feeds
  scheduler.countFeeds(active)
  await surveyFeeds(scheduler, feeds(), { feeds: active, learnt: active - counts.unpolled }, now, yieldToEventLoop)
  const lines = await goalLines(feeds(), folders, scheduler, now)
  const { goalStretch } = scheduler.market()
  const delayMs = scheduler.delayExpected()
  return {
    ...lines,
    budget,
    ...(goalStretch > 1 && {
      goalStretch,
      needed: Math.ceil((lines.pollsForGoals * goalStretch) / MAX_SHARE_FOR_GOALS),
    }),
    ...(delayMs !== undefined && { delayMs: Math.round(delayMs) }),
  }
}

async function* supposedFeeds(
  feeds: AsyncIterable<ScheduledFeed>,
  supposed: SupposedGoal | undefined,
): AsyncIterable<ScheduledFeed> {
  for await (const scheduled of feeds) {
    const isSupposed = supposed && 'feedId' in supposed && supposed.feedId === scheduled.feed.id
    yield isSupposed
      ? { ...scheduled, feed: { ...scheduled.feed, wants: withGoal(scheduled.feed.wants, supposed.goalMs) } }
      : scheduled
  }
}

async function goalLines(
  feeds: AsyncIterable<ScheduledFeed>,
  folders: ReadonlyMap<string, PollingGoals>,
  scheduler: Scheduler,
  now: Instant,
): Promise<Pick<GoalsShape, 'lines' | 'pollsPerDay' | 'pollsForGoals'>> {
  const byFolder = new Map([...folders].map(([folder, wants]) => [folder, emptyLine({ folder }, wants)]))
  const feedTotals: GoalTotals[] = []
  const report = { pollsPerDay: 0, pollsForGoals: 0 }
  for await (const { feed, schedule } of feeds) {
    if (feed.state !== 'active') continue
    const folder = valueOfNearestFolder(byFolder, feed.folder)
    const line = feed.wants
      ? emptyLine({ feedId: feed.id, title: feed.title || withoutSecrets(feed.url) }, feed.wants)
      : undefined
    if (line) feedTotals.push(line)
    const terms = scheduler.terms(feed, now)
    const week = weekAhead(schedule, terms)
    const polls = week ? week.polls.reduce((sum, one) => sum + one, 0) / 7 : 0
    report.pollsPerDay += polls
    if (terms.goalMs !== undefined) report.pollsForGoals += polls
    for (const one of [folder, line]) if (one) addPolls(one, polls, week)
  }
  return { lines: [...byFolder.values(), ...feedTotals].map(lineOf), ...report }
}

/** Undefined if the feed was never polled, or if this version does not have its strategy. */
function weekAhead({ strategy, memory, succeededAt }: Schedule, terms: Terms): WeekForecast | undefined {
  if (succeededAt === undefined || strategyError(strategy)) return undefined
  return forecastWeek(strategyNamed(strategy), memory, succeededAt, terms)
}

function withGoal({ goalMs: _, ...wants }: PollingGoals = {}, goalMs: Millis): PollingGoals {
  return goalMs > 0 ? { ...wants, goalMs } : wants
}

interface GoalTotals {
  line: GoalLine
  entries: number
  waitedMs: number
}

function emptyLine(of: GoalLine['of'], wants: PollingGoals): GoalTotals {
  return { line: { of, wants, feeds: 0, pollsPerDay: 0 }, entries: 0, waitedMs: 0 }
}

function addPolls(totals: GoalTotals, polls: number, week: WeekForecast | undefined): void {
  totals.line.feeds++
  totals.line.pollsPerDay += polls
  totals.entries += week?.entries ?? 0
  totals.waitedMs += (week?.entries ?? 0) * (week?.delayMs ?? 0)
}

function lineOf({ line, entries, waitedMs }: GoalTotals): GoalLine {
  return entries > 0 ? { ...line, delayMs: Math.round(waitedMs / entries) } : line
}
