/** `freshet library`: what the library beside a store has, also of what the store has forgotten. */
import type { Command } from 'commander'
import { askLibrary, InputError, type LibraryAnswers, type LikeEntry } from '../../app/index.ts'
import { type Entry, type EntryId, type FeedId, type Instant, type Poll, placeInTime } from '../../model/index.ts'
import { configOf, type Flags, wholeFlag, withExamples, withSettings } from '../command.ts'
import { type Io, jsonLines, plainLine } from '../io.ts'
import { sinceOf } from './entries.ts'

/** What differs in more bits shares none of the bands by which the library looks. */
const MOST_BITS = 3

export function libraryCommand(command: Command, io: Io): void {
  command
    .description(
      'Lists what the library beside a store has, newest first: also what the store has forgotten since. Entries by feed, or of all feeds by date; entries whose fingerprint is nearly that of another; copies of a primary; the log of a feed. Asks the library alone, whoever runs meanwhile.',
    )
    .option('--feed <number>', 'only of this feed, such as 3')
    .option('--since <time>', 'not older than this, such as 24h or 2026-01-31')
    .option('--until <time>', 'not newer than this')
    .option('--near <entry>', 'entries that say nearly the same as this one, such as e17, nearest first (since 10d)')
    .option('--bits <number>', `with --near: so many bits of 64 may differ, ${MOST_BITS} at most`, String(MOST_BITS))
    .option('--copies <entry>', 'the copies of a primary, such as e17, in the order in which they said it')
    .option('--polls <feed>', 'the log of this feed, as far as the store has forgotten it')
    .option('--limit <number>', 'at most so many', '20')
    .option('--json', 'one JSON object a line')
    .action(async (flags: Flags) => ask(io, flags))
  withSettings(command, ['library'])
  withExamples(
    command,
    'freshet library --library cassandra://10.0.0.5:9042/freshet --since 2026-01-01 --until 2026-01-31',
    'freshet library --feed 3 --limit 100 --json',
    'freshet library --near e17 --since 30d',
    'freshet library --copies e17',
    'freshet library --polls 3 --until 90d',
  )
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
  throw new InputError(
    `the library knows no fingerprint of e${id}`,
    'it has one once the entry was compared with others',
  )
}

function show<Row>(io: Io, flags: Flags, rows: readonly Row[], inWords: (row: Row) => string): void {
  if (flags.json) jsonLines(io, rows)
  else if (rows.length === 0) io.out('the library has nothing of that')
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
  throw new InputError(`${flag} cannot be "${text}"`, 'expected a number, as freshet library shows it')
}
