/** `freshet content`: lists records of the content store, including those that retention removed from the store. `gc` is in content-gc.ts. */
import type { Command } from 'commander'
import { type ContentQueries, InputError, openContentQueries, type SimilarEntry } from '../../app/index.ts'
import { type Entry, type EntryId, type FeedId, type Instant, type Poll, sortPosition } from '../../model/index.ts'
import { configOf, type Flags, integerFlag, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJsonLines } from '../io.ts'
import { collectGarbageCommand } from './content-gc.ts'
import { parseTimeFlag } from './entries.ts'

/** Entries that differ in more bits share none of the bands that the content store indexes. */
const MAX_BITS = 3

export function contentCommand(command: Command, io: Io): void {
  command
    .description(
      'List records of the content store, newest first.\nLists entries by feed or date, near duplicates or copies of an entry, or polls, including those that retention removed from the store.',
    )
    .enablePositionalOptions() // the subcommand gc has options of the same names
    .option('--feed <number>', 'Only this feed, such as 3.')
    .option('--since <time>', 'Only entries newer than this, such as 24h or 2026-01-31.')
    .option('--until <time>', 'Only entries older than this.')
    .option('--near <entry>', 'Near duplicates of this entry, such as e17, nearest first. (default --since: 10d)')
    .option('--bits <number>', `Maximum distance for --near, at most ${MAX_BITS} of 64 bits.`, String(MAX_BITS))
    .option('--copies <entry>', 'Copies of this entry, such as e17, oldest first.')
    .option('--polls <feed>', 'Polls of this feed that retention removed from the store.')
    .option('--limit <number>', 'Maximum number of lines.', '20')
    .option('--json', 'Print one JSON object per line.')
    .action(async (flags: Flags) => queryContent(io, flags))
  withSettings(command, ['contentStore'])
  withExamples(
    command,
    'freshet content --content-store cassandra://10.0.0.5:9042/freshet --since 2026-01-01 --until 2026-01-31',
    'freshet content --feed 3 --limit 100 --json',
    'freshet content --near e17 --since 30d',
    'freshet content --copies e17',
    'freshet content --polls 3 --until 90d',
    'freshet content gc --since 31d',
  )
  collectGarbageCommand(command, io)
}

async function queryContent(io: Io, flags: Flags): Promise<void> {
  const now = io.now()
  const limit = integerFlag(flags, 'limit', 20)
  const since = typeof flags.since === 'string' ? (parseTimeFlag(flags.since, now) as Instant) : undefined
  const until = (typeof flags.until === 'string' ? parseTimeFlag(flags.until, now, '--until') : now) as Instant
  const span = { ...(since !== undefined && { since }), until, limit }
  const feedId = typeof flags.feed === 'string' ? (parseNumber('--feed', flags.feed) as FeedId) : undefined
  const { copies: _, ...settings } = flags // a setting has the same name
  const content = await openContentQueries(configOf(io, settings))
  try {
    if (typeof flags.polls === 'string') {
      const polls = await content.polls({ feedId: parseNumber('--polls', flags.polls) as FeedId, ...span })
      return printRows(io, flags, polls, describePoll)
    }
    if (typeof flags.near === 'string') {
      const similarEntries = await findNearDuplicates(content, flags, since ?? ((now - TEN_DAYS) as Instant), until)
      return printRows(io, flags, similarEntries.slice(0, limit), describeSimilarEntry)
    }
    if (typeof flags.copies === 'string') {
      const copies = await content.copiesOf(parseNumber('--copies', flags.copies) as EntryId)
      return printRows(io, flags, copies.slice(0, limit), describeSimilarEntry)
    }
    const entries = await content.entries({ ...(feedId !== undefined && { feedId }), ...span })
    printRows(io, flags, entries, describeEntry)
  } finally {
    await content.close()
  }
}

const TEN_DAYS = 10 * 86_400_000

async function findNearDuplicates(
  content: ContentQueries,
  flags: Flags,
  since: Instant,
  until: Instant,
): Promise<SimilarEntry[]> {
  const id = parseNumber('--near', String(flags.near)) as EntryId
  const bits = integerFlag(flags, 'bits', MAX_BITS)
  if (bits > MAX_BITS) throw new InputError(`--bits cannot be ${bits}`, `expected a number from 0 to ${MAX_BITS}`)
  const similar = await content.near(id, since, until, bits)
  if (similar) return similar
  throw new InputError(`the content store has no fingerprint of e${id}`, 'entries get one when they are grouped')
}

function printRows<Row>(io: Io, flags: Flags, rows: readonly Row[], inWords: (row: Row) => string): void {
  if (flags.json) printJsonLines(io, rows)
  else if (rows.length === 0) io.out('the content store has no matching records')
  else for (const row of rows) io.out(plainLine(inWords(row)))
}

function describeEntry(entry: Entry): string {
  const { at, id } = sortPosition(entry)
  return `e${id}  ${new Date(at).toISOString()}  feed ${entry.feedId}  ${entry.title || entry.url || 'untitled'}`
}

function describeSimilarEntry({ entry, distance }: SimilarEntry): string {
  return `${describeEntry(entry)}  (${distance} of 64 bits differ)`
}

function describePoll({ at, result, bytes, tookMs }: Poll): string {
  const what = result.kind === 'read' ? `${result.fresh} new` : result.kind
  return `${new Date(at).toISOString()}  ${what}, ${bytes} bytes in ${tookMs} ms`
}

function parseNumber(flag: string, text: string): number {
  const number = /^[ef]?(\d{1,15})$/.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  throw new InputError(`${flag} cannot be "${text}"`, 'expected a number, as freshet content shows it')
}
