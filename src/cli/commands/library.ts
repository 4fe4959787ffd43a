/** `freshet content`: what the content store has, including what retention removed from the store. `content gc` is in mend.ts. */
import type { Command } from 'commander'
import { askLibrary, InputError, type LibraryAnswers, type LikeEntry } from '../../app/index.ts'
import { type Entry, type EntryId, type FeedId, type Instant, type Poll, placeInTime } from '../../model/index.ts'
import { configOf, type Flags, wholeFlag, withExamples, withSettings } from '../command.ts'
import { type Io, jsonLines, plainLine } from '../io.ts'
import { sinceOf } from './entries.ts'
import { collectGarbageCommand } from './mend.ts'

/** Entries that differ in more bits share none of the bands that the content store indexes. */
const MOST_BITS = 3

export function contentCommand(command: Command, io: Io): void {
  command
    .description(
      'List what the content store has, newest first.\nAlso has entries and polls that retention removed from the store. Lists entries by feed or date, near duplicates, copies of an entry, or polls.',
    )
    .enablePositionalOptions() // gc has options of the same names
    .option('--feed <number>', 'Only this feed, such as 3.')
    .option('--since <time>', 'Only entries newer than this, such as 24h or 2026-01-31.')
    .option('--until <time>', 'Only entries older than this.')
    .option('--near <entry>', 'Near duplicates of this entry, such as e17, nearest first. (default --since: 10d)')
    .option('--bits <number>', `Maximum distance for --near, at most ${MOST_BITS} of 64 bits.`, String(MOST_BITS))
    .option('--copies <entry>', 'Copies of this entry, such as e17, oldest first.')
    .option('--polls <feed>', 'Polls of this feed that retention removed from the store.')
    .option('--limit <number>', 'Maximum number of lines.', '20')
    .option('--json', 'Print one JSON object per line.')
    .action(async (flags: Flags) => ask(io, flags))
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

async function ask(io: Io, flags: Flags): Promise<void> {
  const now = io.now()
  const limit = wholeFlag(flags, 'limit', 20)
  const since = typeof flags.since === 'string' ? (sinceOf(flags.since, now) as Instant) : undefined
  const until = (typeof flags.until === 'string' ? sinceOf(flags.until, now, '--until') : now) as Instant
  const span = { ...(since !== undefined && { since }), until, limit }
  const feedId = typeof flags.feed === 'string' ? (numberOf('--feed', flags.feed) as FeedId) : undefined
  const { copies: _, ...settings } = flags // a setting has this name, too
  const library = await askLibrary(configOf(io, settings))
  try {
    if (typeof flags.polls === 'string') {
      const polls = await library.polls({ feedId: numberOf('--polls', flags.polls) as FeedId, ...span })
      return show(io, flags, polls, pollInWords)
    }
    if (typeof flags.near === 'string') {
      const like = await nearest(library, flags, since ?? ((now - TEN_DAYS) as Instant), until)
      return show(io, flags, like.slice(0, limit), likeInWords)
    }
    if (typeof flags.copies === 'string') {
      const copies = await library.copiesOf(numberOf('--copies', flags.copies) as EntryId)
      return show(io, flags, copies.slice(0, limit), likeInWords)
    }
    const entries = await library.entries({ ...(feedId !== undefined && { feedId }), ...span })
    show(io, flags, entries, entryInWords)
  } finally {
    await library.close()
  }
}

const TEN_DAYS = 10 * 86_400_000

async function nearest(library: LibraryAnswers, flags: Flags, since: Instant, until: Instant): Promise<LikeEntry[]> {
  const id = numberOf('--near', String(flags.near)) as EntryId
  const bits = wholeFlag(flags, 'bits', MOST_BITS)
  if (bits > MOST_BITS) throw new InputError(`--bits cannot be ${bits}`, `expected a number from 0 to ${MOST_BITS}`)
  const found = await library.near(id, since, until, bits)
  if (found) return found
  throw new InputError(`the content store has no fingerprint of e${id}`, 'entries get one when they are grouped')
}

function show<Row>(io: Io, flags: Flags, rows: readonly Row[], inWords: (row: Row) => string): void {
  if (flags.json) jsonLines(io, rows)
  else if (rows.length === 0) io.out('the content store has no matching records')
  else for (const row of rows) io.out(plainLine(inWords(row)))
}

function entryInWords(entry: Entry): string {
  const { at, id } = placeInTime(entry)
  return `e${id}  ${new Date(at).toISOString()}  feed ${entry.feedId}  ${entry.title || entry.url || 'untitled'}`
}

function likeInWords({ entry, distance }: LikeEntry): string {
  return `${entryInWords(entry)}  (${distance} of 64 bits differ)`
}

function pollInWords({ at, result, bytes, tookMs }: Poll): string {
  const what = result.kind === 'read' ? `${result.fresh} new` : result.kind
  return `${new Date(at).toISOString()}  ${what}, ${bytes} bytes in ${tookMs} ms`
}

function numberOf(flag: string, text: string): number {
  const number = /^[ef]?(\d{1,15})$/.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  throw new InputError(`${flag} cannot be "${text}"`, 'expected a number, as freshet content shows it')
}
