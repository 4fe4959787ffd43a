/** `freshet entries`: what the feeds say, newest first. */

import type { Command } from 'commander'
import type { EntryShape } from '../../api/index.ts'
import { InputError, openForReading } from '../../app/index.ts'
import { GROUP_LEVELS, type GroupLevel, parseDuration } from '../../model/index.ts'
import { findEntries, namedEntries } from '../../views/index.ts'
import { configOf, type Flags, wholeFlag, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, jsonLines, table, timeAgo } from '../io.ts'

export function entriesCommand(command: Command, io: Io): void {
  command
    .description('Lists entries, newest first; with words, the entries that hold all of them, best first.')
    .argument('[words...]', 'search for these: "in quotes" together, -without, begin*')
    .option('--feed <feed>', 'only of this feed: its number, address or title')
    .option('--since <time>', 'not older than this, such as 24h or 2026-01-31')
    .option('--unique [level]', 'of copies only one; with "story", of every story only one')
    .option('--limit <n>', 'how many at the most (default: 30)')
    .option('--json', 'one JSON object a line')
    .action(async (words: string[], flags: Flags) => entries(io, words, flags))
  withSettings(command, ['store'])
  withExamples(
    command,
    'freshet entries',
    'freshet entries --since 24h --limit 100',
    'freshet entries --unique --since 24h',
    'freshet entries flood "town council" -sports',
    'freshet entries --feed 3 --json',
  )
}

async function entries(io: Io, words: string[], flags: Flags): Promise<void> {
  const limit = wholeFlag(flags, 'limit', 30)
  const since = typeof flags.since === 'string' ? sinceOf(flags.since, io.now()) : undefined
  const opened = await openForReading(configOf(io, flags))
  try {
    const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, opened)).feed.id : undefined
    const unique = uniqueOf(flags)
    const filter = {
      limit,
      ...(feedId && { feedId }),
      ...(since !== undefined && { since }),
      ...(unique && { unique }),
    }
    const found =
      words.length > 0 ? await findEntries(words.join(' '), opened, filter) : await opened.catalogue.entries(filter)
    const shapes = await namedEntries(found, opened)
    if (flags.json) return jsonLines(io, shapes)
    if (shapes.length === 0) return io.note('no entry like that; freshet status tells what there is')
    table(io, shapes, [
      { title: 'entry', of: (entry: EntryShape) => `e${entry.id}`, right: true },
      { title: 'when', of: (entry: EntryShape) => timeAgo(entry.listedAt, io.now()), right: true },
      { title: 'feed', of: (entry: EntryShape) => entry.feedTitle ?? '', gives: true },
      { title: 'title', of: titleOf, gives: true },
    ])
  } finally {
    await opened.close()
  }
}

function titleOf({ title, url, copies, copyOf }: EntryShape): string {
  const name = title || url || 'untitled'
  if (copyOf !== undefined) return `${name}  (a copy of e${copyOf})`
  return copies ? `${name}  (+${copies})` : name
}

/** Of `--unique`. */
export function uniqueOf(flags: Flags): GroupLevel | undefined {
  if (flags.unique === undefined) return undefined
  const level = GROUP_LEVELS.find((one) => one === (flags.unique === true ? 'copy' : flags.unique))
  if (level) return level
  throw new InputError(
    `--unique cannot be "${flags.unique}"`,
    `expected nothing, or one of: ${GROUP_LEVELS.join(', ')}`,
  )
}

/** `24h` counts back from now; a date is a date. */
export function sinceOf(text: string, now: number): number {
  const backMs = parseDuration(text)
  if (backMs !== undefined) return now - backMs
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InputError(`--since cannot be "${text}"`, 'expected 24h, 7d or a date such as 2026-01-31')
  return at
}
