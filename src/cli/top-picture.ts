/**
 * What `freshet top` shows: how it stands, from the last answers of the API, and what happened of late, from its stream. Pure: what is
 * known goes in, lines come out, as many as there is room for.
 */
import type { StatusShape } from '../api/index.ts'
import type { StreamMessage } from '../client/index.ts'
import { formatDuration, formatSize, type Instant, MINUTE, SECOND } from '../model/index.ts'
import type { FleetMembers } from '../views/index.ts'
import { fleetLine, terminalLine } from './fleet.ts'
import { count, timeAgo } from './io.ts'

/** By the reader's clock, which may not be the crawl's. */
interface Sample {
  at: Instant
  totals: StatusShape['activity']['totals']
}

export interface Known {
  place: string
  status?: StatusShape
  /** Absent where everything is one process. */
  fleet?: FleetMembers
  /** Of the last minute, oldest first. */
  samples: Sample[]
  /** Newest first. */
  happened: { at: string; words: string }[]
  /** Since when no answer comes, and why. */
  silence?: { since: Instant; words: string }
}

const WINDOW_MS = MINUTE
const MOST_HAPPENED = 200

export function withStatus(known: Known, status: StatusShape, now: Instant): Known {
  const { totals } = status.activity
  const before = known.samples.filter(({ at, totals: older }) => now - at < WINDOW_MS && older.polls <= totals.polls)
  const { silence: _, ...rest } = known
  return { ...rest, status, samples: [...before, { at: now, totals }] }
}

/** Those who were set aside first: they are to be seen, however many there are. */
export function withFleet(known: Known, fleet: FleetMembers): Known {
  const { fleet: _, ...rest } = known
  if (fleet.others.length === 0) return rest
  const terminals = fleet.terminals.toSorted((a, b) => Number(b.aside !== undefined) - Number(a.aside !== undefined))
  return { ...rest, fleet: { ...fleet, terminals } }
}

export function withSilence(known: Known, words: string, now: Instant): Known {
  return { ...known, silence: { since: known.silence?.since ?? now, words } }
}

export function withMessage(known: Known, message: StreamMessage): Known {
  const happened = happening(message)
  return happened ? { ...known, happened: [happened, ...known.happened].slice(0, MOST_HAPPENED) } : known
}

/** A poll that brought nothing and did not fail is counted, and not told. */
export function happening(message: StreamMessage): { at: string; words: string } | undefined {
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

/** `rows` and `columns` of the terminal; whoever draws cuts what is wider. */
export function pictureOf(known: Known, now: Instant, rows: number): string[] {
  const { place, status, silence } = known
  const lost = silence
    ? [`no answer for ${formatDuration(Math.max(SECOND, now - silence.since))}: ${silence.words}; asking again`]
    : []
  if (!status) return [`freshet at ${place}`, ...(lost.length > 0 ? lost : ['loading the status'])]
  const head = [
    `freshet ${status.version} at ${place}, up ${formatDuration(Date.parse(status.now) - Date.parse(status.activity.startedAt))}`,
    ...lost,
    ...(status.activity.refusals ?? []).map(({ of, words }) => `the ${of} rejects writes: ${words}`),
    ...standingLines(status),
    ratesLine(known, status),
    budgetLine(status),
    queueLine(status),
    ...(known.fleet ? [fleetLine(known.fleet) ?? []].flat() : []),
  ]
  const at = Date.parse(status.now)
  const lists: [string, string[]][] = [
    [
      'fetchers',
      (known.fleet?.terminals ?? []).map((one) => `${terminalLine(one)}, last seen ${timeAgo(one.seenAt, at)}`),
    ],
    [
      'hosts backing off',
      status.resting.map(
        ({ root, notBeforeAt, trouble }) =>
          `${root}, ${timeAgo(notBeforeAt, at)}${trouble ? `: ${trouble.words}` : ''}`,
      ),
    ],
    ['in flight', status.activity.tasks.map(({ kind, url, since }) => `${kind} ${url}, ${timeAgo(since, at)}`)],
    ['polled next', status.next.map(({ title, url, schedule }) => `${timeAgo(schedule.dueAt, at)}: ${title || url}`)],
    ['latest events', known.happened.map(({ at: when, words }) => `${when.slice(11, 19)}  ${words}`)],
  ]
  return [...head, ...shared(lists, rows - head.length)]
}

function standingLines({ counts }: StatusShape): string[] {
  const { feeds, troubled, unpolled, looking, entries, bytes } = counts
  return [
    `${count(feeds.active, 'feed')} active, ${feeds.paused} paused, ${feeds.gone} gone; ${troubled} failing, ${unpolled} not polled yet, discovering ${count(looking, 'site')}`,
    `${count(entries, 'entry', 'entries')}, ${count(counts.articles.read, 'article')}; store ${formatSize(bytes)}`,
  ]
}

/** Of the last minute, once it has been watched; before that, since the start. */
function ratesLine({ samples }: Known, { now, activity }: StatusShape): string {
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

function queueLine({ now, counts, activity, next, restingCount }: StatusShape): string {
  const dueAt = next[0]?.schedule.dueAt
  const lateMs = dueAt === undefined ? 0 : Date.parse(now) - Date.parse(dueAt)
  const late = lateMs > SECOND ? `, overdue by up to ${formatDuration(lateMs)}` : ''
  const { index, groups } = counts.waiting
  return `queue: ${activity.underWay} in flight${late}; waiting: ${count(counts.articles.waiting, 'page')}, ${index} to index, ${groups} to group; ${count(restingCount, 'host')} backing off`
}

/** The room is shared out from the top, a quarter for each list but the last, which takes what is left. */
function shared(lists: [string, string[]][], rows: number): string[] {
  const lines: string[] = []
  for (const [i, [title, all]] of lists.entries()) {
    const isLast = i === lists.length - 1
    const room = Math.min(
      isLast ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(rows / 4) - 2),
      rows - lines.length - 2,
    )
    if (all.length === 0 || room < 1) continue
    const shown = all.slice(0, room)
    lines.push('', title, ...shown.map((line) => `  ${line}`))
  }
  return lines
}
