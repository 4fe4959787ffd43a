/** `freshet entries`: what the feeds say, newest first. */

import type { Command } from 'commander'
import type { EntryShape } from '../../api/index.ts'
import { InputError, type Looking, openForReading } from '../../app/index.ts'
import {
  type Entry,
  type FeedId,
  GROUP_LEVELS,
  type GroupLevel,
  type PersonId,
  parseDuration,
} from '../../model/index.ts'
import { feedsInFolder, findEntries, type Narrowed, namedEntries, namedFinds } from '../../views/index.ts'
import { configOf, type Flags, wholeFlag, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, jsonLines, table, timeAgo } from '../io.ts'

export function entriesCommand(command: Command, io: Io): void {
  command
    .description(
      'Lists entries, newest first; with words, the entries that are found by them, best first, each story once.',
    )
    .argument(
      '[words...]',
      'search for these: "in quotes" together, -without, begin*, this OR that, feed: site: author: is:unread …',
    )
    .option('--feed <feed>', 'only of this feed: its number, address or title')
    .option('--folder <folder>', 'only of feeds in this folder, or in one below it')
    .option('--category <category>', 'only of this category, such as science')
    .option('--language <code>', 'only in this language, such as de')
    .option('--unread', 'only what is not read: by who needs no account, or has the first one')
    .option('--starred', 'only what has a star')
    .option('--since <time>', 'not older than this, such as 24h or 2026-01-31')
    .option('--until <time>', 'not newer than this')
    .option('--unique [level]', 'of copies only one; with "story", of every story only one; with "none", all')
    .option('--sort <order>', 'of what is found: relevance or date (default: relevance)')
    .option('--limit <n>', 'how many at the most (default: 30)')
    .option('--json', 'one JSON object a line')
    .action(async (words: string[], flags: Flags) => entries(io, words, flags))
  withSettings(command, ['store'])
  withExamples(
    command,
    'freshet entries',
    'freshet entries --since 24h --limit 100',
    'freshet entries --unread --folder News',
    'freshet entries --unique --since 24h',
    'freshet entries flood "town council" -sports',
    'freshet entries rain OR snow lang:de site:example.org --sort date',
    'freshet entries --feed 3 --json',
  )
}

async function entries(io: Io, words: string[], flags: Flags): Promise<void> {
  const limit = wholeFlag(flags, 'limit', 30)
  const opened = await openForReading(configOf(io, flags))
  try {
    const wanted = { ...(await narrowedBy(flags, words.length > 0, opened, io.now())), limit }
    const reader = await opened.people.firstPerson()
    const shapes =
      words.length > 0
        ? await finds(words, wanted, flags, opened, io)
        : await listed(wanted, opened, reader, markedBy(flags))
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

async function finds(words: string[], wanted: Narrowed, flags: Flags, opened: Looking, io: Io): Promise<EntryShape[]> {
  const order = sortOf(flags)
  const reader = await opened.people.firstPerson()
  const marked = [...(flags.unread ? ['is:unread'] : []), ...(flags.starred ? ['is:starred'] : [])]
  const typed = [asTyped(words), ...marked].join(' ')
  const found = await findEntries(typed, opened, { ...wanted, order, now: io.now(), reader })
  if ('fault' in found) throw new InputError(found.fault, found.hint)
  return namedFinds(found.entries, found.words, opened, reader)
}

/** A page may be short; here nobody asks for the next. */
async function listed(
  wanted: Narrowed,
  { catalogue, readership, ...opened }: Looking,
  reader: PersonId,
  marked: { read?: boolean; starred?: true } | undefined,
): Promise<EntryShape[]> {
  const from = { ...opened, catalogue, readership }
  const all: Entry[] = []
  for (let after: Parameters<Looking['catalogue']['listEntries']>[0]['after']; ; ) {
    const query = { ...wanted, limit: wanted.limit - all.length, ...(after && { after }) }
    const page = marked
      ? await readership.entriesFor(reader, { ...query, ...marked })
      : await catalogue.listEntries(query)
    all.push(...page.entries)
    after = page.goesOnAfter
    if (!after || all.length >= wanted.limit) return namedEntries(all, from, reader)
  }
}

function markedBy({ unread, starred }: Flags): { read?: boolean; starred?: true } | undefined {
  if (!unread && !starred) return undefined
  return { ...(unread && { read: false }), ...(starred && { starred: true }) }
}

/** What a shell took the quotes from: of several arguments, words that came as one belong together. */
export function asTyped(words: string[]): string {
  return words.length === 1 ? words[0]! : words.map(inQuotes).join(' ')
}

function inQuotes(word: string): string {
  if (!/\s/.test(word) || word.includes('"')) return word
  const [, field = '', value = ''] = /^(-?(?:[a-z]+:)?)(.*)$/is.exec(word) ?? []
  return `${field}"${value}"`
}

async function narrowedBy(
  flags: Flags,
  isSearch: boolean,
  opened: Looking,
  now: number,
): Promise<Omit<Narrowed, 'limit'>> {
  const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, opened)).feed.id : undefined
  const inFolder = typeof flags.folder === 'string' ? await folderMeant(flags.folder, opened) : undefined
  const feedIds = feedId === undefined ? inFolder : [feedId].filter((id) => inFolder?.includes(id) ?? true)
  const unique = flags.unique === 'none' ? undefined : (uniqueOf(flags) ?? (isSearch ? 'story' : undefined))
  return {
    ...(feedIds && { feedIds }),
    ...(typeof flags.category === 'string' && { category: flags.category.toLowerCase() }),
    ...(typeof flags.language === 'string' && { language: flags.language.toLowerCase() }),
    ...(typeof flags.since === 'string' && { since: sinceOf(flags.since, now) }),
    ...(typeof flags.until === 'string' && { until: sinceOf(flags.until, now, '--until') }),
    ...(unique && { unique }),
  }
}

async function folderMeant(folder: string, opened: Looking): Promise<FeedId[]> {
  const ids = await feedsInFolder(folder, opened, await opened.people.firstPerson())
  if (ids.length > 0) return ids
  throw new InputError(`there is no folder "${folder}"`, 'freshet feeds --json names the folder of each feed')
}

function sortOf({ sort = 'relevance' }: Flags): 'relevance' | 'date' {
  if (sort === 'relevance' || sort === 'date') return sort
  throw new InputError(`--sort cannot be "${sort}"`, 'expected relevance or date')
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
export function sinceOf(text: string, now: number, flag = '--since'): number {
  const backMs = parseDuration(text)
  if (backMs !== undefined) return now - backMs
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InputError(`${flag} cannot be "${text}"`, 'expected 24h, 7d or a date such as 2026-01-31')
  return at
}
