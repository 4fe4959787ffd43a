/** `freshet status`: shows the status of the crawl. */
import type { Command } from 'commander'
import type { DiskUsageShape } from '../../api/index.ts'
import { InputError, listFleet, openQueries } from '../../app/index.ts'
import { formatSize } from '../../model/index.ts'
import { fleetMembers } from '../../views/index.ts'
import { CONNECTION_OPTIONS, configOf, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { showFleet } from '../fleet.ts'
import { showHubs } from '../hubs.ts'
import { count, type Io, plainLine, printJson, timeAgo } from '../io.ts'
import { showStatistics } from '../statistics.ts'
import { parseTimeFlag } from './entries.ts'

const MAX_SHOWN = 5

export function statusCommand(command: Command, io: Io): void {
  command
    .description(
      'Show the status of the crawl.\nCounts feeds, entries, polls and articles, shows disk usage, the next polls and failing feeds.',
    )
    .option('--stats', 'Show statistics: entries and copies by feed and hour, failures, runs.')
    .option('--since <time>', 'Start of --stats, such as 24h or 2026-01-31. (default: 7d)')
    .option('--hubs', 'Show how WebSub hubs perform: delays, missed entries, renewals, failures.')
    .option('--fleet', 'Show the processes of the fleet, their load and clock offset.')
    .option('--json', 'Print one JSON object.')
    .action(async (flags: Flags) => status(io, flags))
  withSettings(command, [...STORE_OPTIONS, ...CONNECTION_OPTIONS])
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
    throw new InputError('--since needs --stats', 'add --stats, or leave out --since')
  const config = configOf(io, flags)
  if (flags.fleet && !config.queue) return io.out('no fleet: everything runs in one process. See docs/fleet.md')
  if (flags.fleet) return showFleet(io, fleetMembers(await listFleet(config)), flags.json === true)
  const queries = await openQueries(config)
  try {
    const now = io.now()
    const since = parseTimeFlag(typeof flags.since === 'string' ? flags.since : '7d', now)
    const statistics = flags.stats ? await queries.statistics(since) : undefined
    const hubs = flags.hubs ? await queries.hubs() : undefined
    const { activity, ...standing } = await queries.status(MAX_SHOWN)
    const { counts, diskUsage, next, failing, looking, backingOff, backingOffCount } = standing
    const internalErrors = activity?.internalErrors ?? []
    if (flags.json)
      return printJson(io, {
        store: queries.location,
        ...standing,
        backingOff: backingOff.map(({ root }) => root),
        internalErrors,
        ...(statistics && { statistics }),
        ...(hubs && { hubs }),
      })
    if (hubs) return showHubs(io, hubs)
    if (statistics) return showStatistics(io, statistics)

    const { feeds } = counts
    io.out(`${queries.location}: ${formatSize(counts.bytes)}${describeDiskUsage(diskUsage)}`)
    if (standing.contentStore) io.out(`content store: ${standing.contentStore.summary}`)
    io.out(
      `${count(feeds.active, 'feed')} active, ${feeds.paused} paused, ${feeds.gone} gone; ${counts.unpolled} not polled yet, ${counts.failing} failing`,
    )
    io.out(`${count(counts.entries, 'entry', 'entries')}, ${count(counts.polls, 'poll')} in the log`)
    const { index, groups } = counts.waiting
    if (index + groups > 0)
      io.out(`${count(index, 'entry', 'entries')} waiting for the search index, ${groups} for grouping`)
    const { read, waiting, refused, failed, pages } = counts.articles
    if (read + waiting + refused + failed > 0)
      io.out(
        `${count(read, 'article')} read, ${waiting} waiting, ${refused} refused, ${failed} failed; ${count(pages, 'original page')} stored`,
      )
    for (const { of, since: from, words, hint } of activity?.refusals ?? [])
      io.out(`the ${of} rejects writes since ${timeAgo(from, now)}: ${words}. ${hint}`)
    printList(
      io,
      'polled next',
      next.map((feed) => `${timeAgo(feed.schedule.dueAt, now)}: ${feed.title || feed.url}`),
    )
    printList(
      io,
      'failing',
      failing.map((feed) => `${feed.title || feed.url}: ${feed.trouble?.words}`),
      counts.failing,
    )
    printList(
      io,
      'looking for the feed of',
      looking.map((source) => `${source.url}${source.trouble ? `: ${source.trouble.words}` : ''}`),
      counts.looking,
    )
    printList(
      io,
      'hosts backing off',
      backingOff.map(
        ({ root, notBeforeAt, trouble }) =>
          `${root}, ${timeAgo(notBeforeAt, now)}${trouble ? `: ${trouble.words}` : ''}`,
      ),
      backingOffCount,
    )
    printList(
      io,
      'internal errors since the start',
      internalErrors.map(({ at, words }) => `${timeAgo(at, now)}: ${words}`),
      activity?.totals.internalErrors,
    )
  } finally {
    await queries.close()
  }
}

const DISK_PARTS: [keyof DiskUsageShape, string][] = [
  ['feeds', 'feeds'],
  ['entries', 'entries'],
  ['articles', 'article texts'],
  ['pages', 'original pages'],
  ['index', 'search index'],
  ['polls', 'poll log'],
  ['rest', 'other'],
]

/** The largest parts first, without those below 1 %. */
function describeDiskUsage(usage: DiskUsageShape): string {
  const total = Object.values(usage).reduce((sum, bytes) => sum + bytes)
  const parts = DISK_PARTS.filter(([name]) => usage[name] > total / 100).sort(([a], [b]) => usage[b] - usage[a])
  return parts.length === 0
    ? ''
    : ` (${parts.map(([name, words]) => `${words} ${formatSize(usage[name])}`).join(', ')})`
}

function printList(io: Io, title: string, lines: string[], of = lines.length): void {
  if (lines.length === 0) return
  io.out(`\n${title}`)
  for (const line of lines) io.out(`  ${plainLine(line)}`)
  if (of > lines.length) io.out(`  and ${of - lines.length} more`)
}
