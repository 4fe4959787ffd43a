/** `freshet entries`: what the feeds say, newest first. */

import type { Command } from 'commander'
import type { EntryShape, HitsShape } from '../../api/index.ts'
import { InputError, openQueries, type Queries } from '../../app/index.ts'
import { GROUP_LEVELS, type GroupLevel, parseDuration } from '../../model/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, wholeFlag, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, jsonLines, table, timeAgo } from '../io.ts'

export function entriesCommand(command: Command, io: Io): void {
  command
    .description('List or search entries.\nWithout words the newest come first; with words, the best matches.')
    .argument('[words...]', 'Search: "a phrase", -without, prefix*, a OR b, feed:, site:, author:, is:unread …')
    .option('--feed <feed>', 'Only of this feed: its number, address or title.')
    .option('--folder <folder>', 'Only of feeds in this folder and its subfolders.')
    .option('--category <category>', 'Only of this category, such as science.')
    .option('--language <code>', 'Only in this language, such as de.')
    .option('--unread', 'Only unread entries.')
    .option('--starred', 'Only starred entries.')
    .option('--since <time>', 'Only entries newer than this, such as 24h or 2026-01-31.')
    .option('--until <time>', 'Only entries older than this.')
    .option(
      '--unique [level]',
      'Show one entry per text (copy), per story (story), or all (none). (default: none; alone: copy)',
    )
    .option('--sort <order>', 'Order of search results: relevance or date. (default: relevance)')
    .option('--limit <n>', 'Maximum number of entries. (default: 30)')
    .option('--json', 'Print one JSON object per line.')
    .action(async (words: string[], flags: Flags) => entries(io, words, flags))
  withSettings(command, PERSONAL_OPTIONS)
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
  const queries = await openQueries(configOf(io, flags))
  try {
    const sort = sortOf(flags)
    const search = words.length > 0 ? { q: asTyped(words), sort } : {}
    const asked = { ...(await narrowedBy(flags, queries, io.now())), ...search, limit }
    const { entries: shapes, hits } = await queries.entries(asked)
    if (hits?.total && (hits.folded > 0 || !flags.json)) io.note(hitsSentence(hits, shapes.length))
    if (flags.json) return jsonLines(io, shapes)
    if (shapes.length === 0) return io.note('no entry like that; freshet status tells what there is')
    table(io, shapes, [
      { title: 'entry', of: (entry: EntryShape) => `e${entry.id}`, right: true },
      { title: 'when', of: (entry: EntryShape) => timeAgo(entry.listedAt, io.now()), right: true },
      { title: 'feed', of: (entry: EntryShape) => entry.feedTitle ?? '', gives: true },
      { title: 'title', of: titleOf, gives: true },
    ])
  } finally {
    await queries.close()
  }
}

function hitsSentence({ total = 0, more, folded }: HitsShape, listed: number): string {
  const found = `${total}${more ? ' or more' : ''} ${total === 1 ? 'hit' : 'hits'}`
  const cut = listed + folded < total ? `, ${listed} listed (--limit lists more)` : ''
  return `${found}${cut}${folded > 0 ? `, ${folded} folded into others of their story (--unique none lists them)` : ''}`
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
  queries: Queries,
  now: number,
): Promise<Omit<Parameters<Queries['entries']>[0], 'limit'>> {
  const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, queries)).id : undefined
  const unique = flags.unique === 'none' ? 'none' : (uniqueOf(flags) ?? 'none')
  return {
    ...(feedId !== undefined && { feedId }),
    ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    ...(typeof flags.category === 'string' && { category: flags.category }),
    ...(typeof flags.language === 'string' && { language: flags.language }),
    ...(typeof flags.since === 'string' && { since: sinceOf(flags.since, now) }),
    ...(typeof flags.until === 'string' && { until: sinceOf(flags.until, now, '--until') }),
    unique,
    ...(flags.unread && { unread: true as const }),
    ...(flags.starred && { starred: true as const }),
  }
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
    `expected no value, or one of: ${GROUP_LEVELS.join(', ')}`,
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
