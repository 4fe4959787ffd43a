/** `freshet status`: how it stands, on one screen. */

import type { Command } from 'commander'
import type { DiskUsageShape } from '../../api/index.ts'
import { InputError, listFleet, openQueries, QUEUE_OPTIONS } from '../../app/index.ts'
import { formatSize } from '../../model/index.ts'
import { fleetMembers } from '../../views/index.ts'
import { configOf, type Flags, PLACE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { showFleet } from '../fleet.ts'
import { showHubs } from '../hubs.ts'
import { count, type Io, plainLine, printJson, timeAgo } from '../io.ts'
import { showStatistics } from '../statistics.ts'
import { sinceOf } from './entries.ts'

const SHOWN = 5

export function statusCommand(command: Command, io: Io): void {
  command
    .description(
      'Counts feeds, entries, polls and articles, and says what takes how much room; names what is polled next and what is in trouble.',
    )
    .option(
      '--stats',
      'what was said: entries, copies and their share, by feed and by hour of the day; runs, what polls failed for, how feeds were found',
    )
    .option('--since <time>', 'with --stats: since when, such as 24h or 2026-01-31 (default: 7d)')
    .option('--hubs', 'how well hubs push: how soon, what they missed, renewals and failures')
    .option('--fleet', 'the processes of a fleet: who is there, how busy, whose clock is off')
    .option('--json', 'as one JSON object')
    .action(async (flags: Flags) => status(io, flags))
  withSettings(command, [...PLACE_OPTIONS, ...QUEUE_OPTIONS])
  withExamples(
    command,
    'freshet status',
    'freshet status --stats --since 24h',
    'freshet status --hubs',
    'freshet status --fleet --queue nats://queue:4222',
    'freshet status --json | jq .counts',
  )
}

async function status(io: Io, flags: Flags): Promise<void> {
  if (flags.since !== undefined && !flags.stats)
    throw new InputError('--since says nothing without --stats', 'give both, or neither')
  const config = configOf(io, flags)
  if (flags.fleet && !config.queue)
    return io.out('everything is one process here: a fleet has a --queue, see docs/operations.md')
  if (flags.fleet) return showFleet(io, fleetMembers(await listFleet(config)), flags.json === true)
  const queries = await openQueries(config)
  try {
    const now = io.now()
    const since = sinceOf(typeof flags.since === 'string' ? flags.since : '7d', now)
    const statistics = flags.stats ? await queries.statistics(since) : undefined
    const hubs = flags.hubs ? await queries.hubs() : undefined
    const { activity, ...standing } = await queries.status(SHOWN)
    const { counts, room, next, troubled, looking, resting, restingCount } = standing
    const mistakes = activity?.mistakes ?? []
    if (flags.json)
      return printJson(io, {
        store: queries.place,
        ...standing,
        resting: resting.map(({ root }) => root),
        mistakes,
        ...(statistics && { statistics }),
        ...(hubs && { hubs }),
      })
    if (hubs) return showHubs(io, hubs)
    if (statistics) return showStatistics(io, statistics)

    const { feeds } = counts
    io.out(`${queries.place}: ${formatSize(counts.bytes)}${roomInWords(room)}`)
    if (standing.library) io.out(`beside it, a library: ${standing.library.summary}`)
    io.out(
      `${count(feeds.active, 'feed')} active, ${feeds.paused} paused, ${feeds.gone} gone; ${counts.unpolled} not polled yet, ${counts.troubled} in trouble`,
    )
    io.out(`${count(counts.entries, 'entry', 'entries')}, ${count(counts.polls, 'poll')} in the log`)
    const { index, groups } = counts.waiting
    if (index + groups > 0)
      io.out(
        `${count(index, 'entry', 'entries')} still to be put into the search index, ${groups} among copies and stories`,
      )
    const { read, waiting, refused, failed, pages } = counts.articles
    if (read + waiting + refused + failed > 0)
      io.out(
        `${count(read, 'article')} read, ${waiting} waiting, ${refused} refused, ${failed} that could not be had; ${count(pages, 'page')} kept as they came`,
      )
    for (const { of, since: from, words, hint } of activity?.refusals ?? [])
      io.out(`the ${of} takes nothing since ${timeAgo(from, now)}: ${words}. ${hint}`)
    list(
      io,
      'polled next',
      next.map((feed) => `${timeAgo(feed.schedule.dueAt, now)}: ${feed.title || feed.url}`),
    )
    list(
      io,
      'in trouble',
      troubled.map((feed) => `${feed.title || feed.url}: ${feed.trouble?.words}`),
      counts.troubled,
    )
    list(
      io,
      'looking for the feed of',
      looking.map((source) => `${source.url}${source.trouble ? `: ${source.trouble.words}` : ''}`),
      counts.looking,
    )
    list(
      io,
      'left alone for a while',
      resting.map(
        ({ root, notBeforeAt, trouble }) =>
          `${root}, ${timeAgo(notBeforeAt, now)}${trouble ? `: ${trouble.words}` : ''}`,
      ),
      restingCount,
    )
    list(
      io,
      'mistakes of ours since the start',
      mistakes.map(({ at, words }) => `${timeAgo(at, now)}: ${words}`),
      activity?.totals.mistakes,
    )
  } finally {
    await queries.close()
  }
}

const ROOM: [keyof DiskUsageShape, string][] = [
  ['feeds', 'feeds'],
  ['entries', 'entries'],
  ['articles', 'articles’ texts'],
  ['pages', 'their pages'],
  ['index', 'search index'],
  ['polls', 'log of polls'],
  ['rest', 'all else'],
]

/** What takes most of it first; what takes next to nothing is not worth a word. */
function roomInWords(room: DiskUsageShape): string {
  const total = Object.values(room).reduce((sum, bytes) => sum + bytes)
  const parts = ROOM.filter(([name]) => room[name] > total / 100).sort(([a], [b]) => room[b] - room[a])
  return parts.length === 0 ? '' : ` (${parts.map(([name, words]) => `${words} ${formatSize(room[name])}`).join(', ')})`
}

function list(io: Io, title: string, lines: string[], of = lines.length): void {
  if (lines.length === 0) return
  io.out(`\n${title}`)
  for (const line of lines) io.out(`  ${plainLine(line)}`)
  if (of > lines.length) io.out(`  and ${of - lines.length} more`)
}
