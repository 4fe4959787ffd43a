/**
 * The screen of `freshet top`: the status from the API, and recent events from its stream. Pure functions from a state to as many lines as
 * the screen has.
 */
import type { StatusShape } from '../api/index.ts'
import type { StreamMessage } from '../client/index.ts'
import { formatDuration, formatSize, type Instant, MINUTE, SECOND } from '../model/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { fetcherLine, fleetLine } from './fleet.ts'
import { count, timeAgo } from './io.ts'

/** Time by this machine's clock, which may differ from the crawl's. */
interface Sample {
  at: Instant
  totals: StatusShape['activity']['totals']
}

export interface TopState {
  location: string
  status?: StatusShape
  /** Absent without a fleet. */
  fleet?: FleetMembers
  /** Samples of the last minute, oldest first. */
  samples: Sample[]
  /** Newest first. */
  events: { at: string; words: string }[]
  /** The start and the reason of an outage of the server. */
  outage?: { since: Instant; words: string }
}

const WINDOW_MS = MINUTE
const MAX_EVENTS = 200

export function withStatus(state: TopState, status: StatusShape, now: Instant): TopState {
  const { totals } = status.activity
  const before = state.samples.filter(({ at, totals: older }) => now - at < WINDOW_MS && older.polls <= totals.polls)
  const { outage: _, ...rest } = state
  return { ...rest, status, samples: [...before, { at: now, totals }] }
}

/** Quarantined fetchers come first, so that they are always visible. */
export function withFleet(state: TopState, fleet: FleetMembers): TopState {
  const { fleet: _, ...rest } = state
  if (fleet.others.length === 0) return rest
  const fetchers = fleet.fetchers.toSorted(
    (a, b) => Number(b.quarantine !== undefined) - Number(a.quarantine !== undefined),
  )
  return { ...rest, fleet: { ...fleet, fetchers } }
}

export function withOutage(state: TopState, words: string, now: Instant): TopState {
  return { ...state, outage: { since: state.outage?.since ?? now, words } }
}

export function withMessage(state: TopState, message: StreamMessage): TopState {
  const happened = describeMessage(message)
  return happened ? { ...state, events: [happened, ...state.events].slice(0, MAX_EVENTS) } : state
}

/** Returns undefined for unchanged polls, which are only counted. */
export function describeMessage(message: StreamMessage): { at: string; words: string } | undefined {
  switch (message.kind) {
    case 'entry': {
      const { seenAt, feedTitle, title, url } = message.data
      return { at: seenAt, words: `new    ${feedTitle ?? ''}: ${title || url || 'untitled'}` }
    }
    case 'trouble': {
      const { at, words, root, feedId, sourceId } = message.data
      const whose = root ?? (feedId ? `feed ${feedId}` : sourceId ? `source ${sourceId}` : '')
      return { at, words: `trouble  ${whose ? `${whose}: ` : ''}${words}` }
    }
    case 'poll': {
      const { at, feedTitle, result, bytes, tookMs } = message.data
      if (result.kind !== 'read') return undefined
      return {
        at,
        words: `poll   ${feedTitle}: ${result.fresh} new of ${result.window}, ${formatSize(bytes)} in ${formatDuration(tookMs)}`,
      }
    }
    default:
      return undefined
  }
}

/** `rows`: of the screen. The screen cuts lines that are too wide. */
export function renderScreen(state: TopState, now: Instant, rows: number): string[] {
  const { location, status, outage } = state
  const outageLines = outage
    ? [`no answer for ${formatDuration(Math.max(SECOND, now - outage.since))}: ${outage.words}; asking again`]
    : []
  if (!status) return [`freshet at ${location}`, ...(outageLines.length > 0 ? outageLines : ['loading the status'])]
  const head = [
    `freshet ${status.version} at ${location}, up ${formatDuration(Date.parse(status.now) - Date.parse(status.activity.startedAt))}`,
    ...outageLines,
    ...(status.activity.refusals ?? []).map(({ of, words }) => `the ${of} rejects writes: ${words}`),
    ...countLines(status),
    ratesLine(state, status),
    budgetLine(status),
    queueLine(status),
    ...(state.fleet ? [fleetLine(state.fleet) ?? []].flat() : []),
  ]
  const at = Date.parse(status.now)
  const lists: [string, string[]][] = [
    [
      'fetchers',
      (state.fleet?.fetchers ?? []).map((one) => `${fetcherLine(one)}, last seen ${timeAgo(one.seenAt, at)}`),
    ],
    [
      'hosts backing off',
      status.backingOff.map(
        ({ root, notBeforeAt, trouble }) =>
          `${root}, ${timeAgo(notBeforeAt, at)}${trouble ? `: ${trouble.words}` : ''}`,
      ),
    ],
    ['in flight', status.activity.tasks.map(({ kind, url, since }) => `${kind} ${url}, ${timeAgo(since, at)}`)],
    ['polled next', status.next.map(({ title, url, schedule }) => `${timeAgo(schedule.dueAt, at)}: ${title || url}`)],
    ['latest events', state.events.map(({ at: when, words }) => `${when.slice(11, 19)}  ${words}`)],
  ]
  return [...head, ...fitLists(lists, rows - head.length)]
}

function countLines({ counts }: StatusShape): string[] {
  const { feeds, failing, unpolled, looking, entries, bytes } = counts
  return [
    `${count(feeds.active, 'feed')} active, ${feeds.paused} paused, ${feeds.gone} gone; ${failing} failing, ${unpolled} not polled yet, discovering ${count(looking, 'site')}`,
    `${count(entries, 'entry', 'entries')}, ${count(counts.articles.read, 'article')}; store ${formatSize(bytes)}`,
  ]
}

/** Rates of the last minute, or since the start if there are not enough samples yet. */
function ratesLine({ samples }: TopState, { now, activity }: StatusShape): string {
  const [first, last] = [samples[0], samples.at(-1)]
  const isWatched = first !== undefined && last !== undefined && last.at - first.at >= 5 * SECOND
  const overMs = isWatched ? last.at - first.at : Math.max(SECOND, Date.parse(now) - Date.parse(activity.startedAt))
  const since = (name: keyof Sample['totals']) => activity.totals[name] - (isWatched ? first.totals[name] : 0)
  const aMinute = (n: number) => ((n * MINUTE) / overMs).toLocaleString('en', { maximumFractionDigits: 1 })
  const polls = since('polls')
  const share = (n: number) => `${polls === 0 ? 0 : Math.round((100 * n) / polls)} %`
  const of = isWatched ? 'per minute' : 'per minute since the start'
  return `${aMinute(polls)} polls ${of} (${share(since('notModified'))} not modified, ${share(since('failures'))} failed), ${aMinute(since('fresh'))} new entries, ${aMinute(since('articles'))} pages, ${formatSize((since('bytes') * SECOND) / overMs)}/s`
}

function budgetLine({ budget }: StatusShape): string {
  const { pollsPerDay, priceMs, spentToday } = budget
  const of = pollsPerDay === 'auto' ? 'automatic' : `${pollsPerDay.toLocaleString('en')} polls per day`
  const price = priceMs === undefined ? '' : `; price of a poll ${formatDuration(Math.round(priceMs))}`
  const spent = spentToday === undefined ? '' : `; ${count(spentToday, 'poll')} today`
  return `budget: ${of}${price}${spent}`
}

function queueLine({ now, counts, activity, next, backingOffCount }: StatusShape): string {
  const dueAt = next[0]?.schedule.dueAt
  const lateMs = dueAt === undefined ? 0 : Date.parse(now) - Date.parse(dueAt)
  const late = lateMs > SECOND ? `, overdue by up to ${formatDuration(lateMs)}` : ''
  const { index, groups } = counts.waiting
  return `queue: ${activity.inFlight} in flight${late}; waiting: ${count(counts.articles.waiting, 'page')}, ${index} to index, ${groups} to group; ${count(backingOffCount, 'host')} backing off`
}

/** Each list gets at most a quarter of the rows, and the last one gets the rest. */
function fitLists(lists: [string, string[]][], rows: number): string[] {
  const lines: string[] = []
  for (const [i, [title, all]] of lists.entries()) {
    const isLast = i === lists.length - 1
    const available = Math.min(
      isLast ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(rows / 4) - 2),
      rows - lines.length - 2,
    )
    if (all.length === 0 || available < 1) continue
    const shown = all.slice(0, available)
    lines.push('', title, ...shown.map((line) => `  ${line}`))
  }
  return lines
}
