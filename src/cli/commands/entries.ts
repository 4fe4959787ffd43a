/** `freshet entries`: lists and searches entries. */
import type { Command } from 'commander'
import type { EntryShape, HitsShape } from '../../api/index.ts'
import { InputError, openQueries, type Queries } from '../../app/index.ts'
import { GROUP_LEVELS, type GroupLevel, parseDuration } from '../../model/index.ts'
import { configOf, type Flags, integerFlag, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, printJsonLines, printTable, timeAgo } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'

export function entriesCommand(command: Command, io: Io): void {
  command
    .description('List or search entries.\nWithout words the newest come first; with words, the best matches.')
    .argument(
      '[words...]',
      'Search: words and their forms, "exact phrase", -without, prefix*, a OR b, feed:, is:unread …',
    )
    .option('--feed <feed>', 'Only entries of this feed: its number, address or title.')
    .option('--folder <folder>', 'Only entries of feeds in this folder and its subfolders.')
    .option('--category <category>', 'Only entries of this category, such as science.')
    .option('--language <code>', 'Only entries in this language, such as de.')
    .option('--unread', 'Only unread entries.')
    .option('--starred', 'Only starred entries.')
    .option('--since <time>', 'Only entries newer than this, such as 24h or 2026-01-31.')
    .option('--until <time>', 'Only entries older than this.')
    .option(
      '--unique [level]',
      'Show one entry per text (copy), per story (story), or all (none). (default: none; alone: copy)',
    )
    .option(
      '--sort <order>',
      'Order: relevance or date of search results; personal: unread entries you probably want to read.',
    )
    .option('--limit <n>', 'Maximum number of entries. (default: 30)')
    .option('--json', 'Print one JSON object per line.')
    .action(async (words: string[], flags: Flags) => entries(io, words, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(
    command,
    'freshet entries',
    'freshet entries --since 24h --limit 100',
    'freshet entries --unread --folder News',
    'freshet entries --unique --since 24h',
    'freshet entries flood "town council" -sports',
    'freshet entries rain OR snow lang:de site:example.org --sort date',
    'freshet entries --feed 3 --json',
    'freshet entries --sort personal --limit 10',
  )
}

async function entries(io: Io, words: string[], flags: Flags): Promise<void> {
  const limit = integerFlag(flags, 'limit', 30)
  if (flags.sort === 'personal') return personalEntries(io, words, flags, limit)
  const queries = await openQueries(configOf(io, flags))
  try {
    const sort = sortFlag(flags)
    const search = words.length > 0 ? { q: joinSearchWords(words), sort } : {}
    const query = { ...(await filterFlags(flags, queries, io.now())), ...search, limit }
    const { entries: entryShapes, hits } = await queries.entries(query)
    if (hits?.total && (hits.folded > 0 || !flags.json)) io.note(hitsSentence(hits, entryShapes.length))
    if (flags.json) return printJsonLines(io, entryShapes)
    if (entryShapes.length === 0) return io.note('no matching entries; freshet status shows what the store has')
    printTable(io, entryShapes, [
      { title: 'entry', of: (entry: EntryShape) => `e${entry.id}`, right: true },
      { title: 'when', of: (entry: EntryShape) => timeAgo(entry.listedAt, io.now()), right: true },
      { title: 'feed', of: (entry: EntryShape) => entry.feedTitle ?? '', shrinks: true },
      { title: 'title', of: titleOf, shrinks: true },
    ])
  } finally {
    await queries.close()
  }
}

/** Each with the strongest reason for its place. */
async function personalEntries(io: Io, words: string[], flags: Flags, limit: number): Promise<void> {
  const others = ['feed', 'folder', 'category', 'language', 'starred', 'unique'].filter((name) => name in flags)
  if (words.length > 0 || others.length > 0)
    throw new InputError(
      `--sort personal cannot be combined with ${words.length > 0 ? 'a search' : `--${others[0]}`}`,
      'it lists unread entries of all feeds that you follow; --since and --until are possible',
    )
  if (limit > MAX_PERSONAL)
    throw new InputError(`--limit cannot be ${limit}`, `expected at most ${MAX_PERSONAL} with --sort personal`)
  const queries = await openQueries(configOf(io, flags))
  try {
    const ranked = await queries.forYou({ limit, ...timeFlags(flags, io.now()) })
    if (flags.json) return printJsonLines(io, ranked)
    if (ranked.length === 0)
      return io.note(`no unread entries ${flags.since || flags.until ? 'in this time' : 'of the last seven days'}`)
    printTable(io, ranked, [
      { title: 'entry', of: ({ id }) => `e${id}`, right: true },
      { title: 'when', of: ({ listedAt }) => timeAgo(listedAt, io.now()), right: true },
      { title: 'feed', of: ({ feedTitle = '' }) => feedTitle, shrinks: true },
      { title: 'title', of: titleOf, shrinks: true },
      { title: 'why', of: ({ reasons }) => reasons[0]?.words ?? '', shrinks: true },
    ])
  } finally {
    await queries.close()
  }
}

const MAX_PERSONAL = 200

function hitsSentence({ total = 0, more, folded }: HitsShape, listed: number): string {
  const found = `${total}${more ? ' or more' : ''} ${total === 1 ? 'hit' : 'hits'}`
  const notListed = listed + folded < total ? `, ${listed} listed (--limit lists more)` : ''
  return `${found}${notListed}${folded > 0 ? `, ${folded} folded into others of their story (--unique none lists them)` : ''}`
}

/** Restores quotes that the shell removed: an argument with spaces is a phrase. */
export function joinSearchWords(words: string[]): string {
  return words.length === 1 ? words[0]! : words.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  if (!/\s/.test(word) || word.includes('"')) return word
  const [, field = '', value = ''] = /^(-?(?:[a-z]+:)?)(.*)$/is.exec(word) ?? []
  return `${field}"${value}"`
}

async function filterFlags(
  flags: Flags,
  queries: Queries,
  now: number,
): Promise<Omit<Parameters<Queries['entries']>[0], 'limit'>> {
  const feedId = typeof flags.feed === 'string' ? (await resolveFeed(flags.feed, queries)).id : undefined
  const unique = flags.unique === 'none' ? 'none' : (uniqueFlag(flags) ?? 'none')
  return {
    ...(feedId !== undefined && { feedId }),
    ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    ...(typeof flags.category === 'string' && { category: flags.category }),
    ...(typeof flags.language === 'string' && { language: flags.language }),
    ...timeFlags(flags, now),
    unique,
    ...(flags.unread && { unread: true as const }),
    ...(flags.starred && { starred: true as const }),
  }
}

function timeFlags(flags: Flags, now: number): { since?: number; until?: number } {
  return {
    ...(typeof flags.since === 'string' && { since: parseTimeFlag(flags.since, now) }),
    ...(typeof flags.until === 'string' && { until: parseTimeFlag(flags.until, now, '--until') }),
  }
}

function sortFlag({ sort = 'relevance' }: Flags): 'relevance' | 'date' {
  if (sort === 'relevance' || sort === 'date') return sort
  throw new InputError(`--sort cannot be "${sort}"`, 'expected relevance, date or personal')
}

function titleOf({ title, url, copies, copyOf }: EntryShape): string {
  const name = title || url || 'untitled'
  if (copyOf !== undefined) return `${name}  (a copy of e${copyOf})`
  return copies ? `${name}  (+${copies})` : name
}

/** The value of `--unique`. */
export function uniqueFlag(flags: Flags): GroupLevel | undefined {
  if (flags.unique === undefined) return undefined
  const level = GROUP_LEVELS.find((one) => one === (flags.unique === true ? 'copy' : flags.unique))
  if (level) return level
  throw new InputError(
    `--unique cannot be "${flags.unique}"`,
    `expected no value, or one of: ${GROUP_LEVELS.join(', ')}`,
  )
}

/** Parses a duration before now, such as `24h`, or a date. */
export function parseTimeFlag(text: string, now: number, flag = '--since'): number {
  const backMs = parseDuration(text)
  if (backMs !== undefined) return now - backMs
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InputError(`${flag} cannot be "${text}"`, 'expected 24h, 7d or a date such as 2026-01-31')
  return at
}
