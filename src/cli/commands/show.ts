/** `freshet show`: shows a feed or an entry. */
import type { Command } from 'commander'
import type { EntryArticleShape, EntryDetailsShape, PollShape, PushShape } from '../../api/index.ts'
import { InputError, openQueries, type Queries } from '../../app/index.ts'
import { describeDateNote, formatDuration, formatSize, type Instant } from '../../model/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { fetchingRows } from '../fetching-flags.ts'
import { count, type Io, plainLine, printJson, timeAgo } from '../io.ts'
import { quoteForShell } from '../quote-for-shell.ts'
import { resolveFeed } from '../resolve-feed.ts'
import { roundLines } from '../round-lines.ts'

/** The number of polls and of entries. */
const MAX_SHOWN = 10
/** The number of points of M, T and ToE. */
const MAX_POINTS = 40

export function showCommand(command: Command, io: Io): void {
  command
    .description(
      'Show a feed or an entry.\nFor a feed, shows its schedule, latest polls and entries; for an entry, its text and versions.',
    )
    .argument('<id>', 'Number, address or title of a feed, or an entry number such as e17.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => show(io, word, flags))
  withSettings(command, [...USER_OPTIONS, 'minInterval', 'maxInterval'])
  withExamples(command, 'freshet show 3', 'freshet show https://example.org/feed.xml', 'freshet show e17')
}

async function show(io: Io, word: string, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  try {
    const entry = /^e(\d{1,15})$/.exec(word)
    if (entry) await showEntry(io, Number(entry[1]), queries, flags)
    else await showFeed(io, word, queries, flags)
  } finally {
    await queries.close()
  }
}

async function showFeed(io: Io, word: string, queries: Queries, flags: Flags): Promise<void> {
  const { id } = await resolveFeed(word, queries)
  const details = await queries.feedDetails(id, MAX_SHOWN)
  if (!details) throw new InputError(`feed ${id} is gone`, 'freshet feeds lists all feeds')
  const rounds = await queries.rounds(id, MAX_POINTS)
  if (flags.json) return printJson(io, { ...details, ...(rounds?.hasRounds && { rounds }) })

  const { feed, fetching, polls, entries } = details
  const { schedule, trouble } = feed
  const now = io.now()
  printFacts(io, [
    ['feed', `${feed.id}  ${feed.title || 'untitled'}`],
    ['name', feed.name],
    ['address', feed.url],
    ['login', feed.hasLogin && 'yes, sent to its own site only'],
    ['site', feed.siteUrl],
    ['about', feed.description],
    ['folder', feed.folder],
    ['title prefix', feed.titlePrefix && `${feed.titlePrefix} (removed)`],
    ['title labels', feed.titleLabels && `${feed.titleLabels.join('  ')} (learned, not shown)`],
    ['format', feed.format],
    ['language', feed.language],
    ['category', feed.category],
    ['articles', feed.articles && `${feed.articles} (set for this feed)`],
    ...fetchingRows(fetching),
    ['state', trouble ? `${feed.state}; ${trouble.words} (${schedule.failures} in a row)` : feed.state],
    ['entries', feed.entries?.toLocaleString('en')],
    ['last built', feed.builtAt && `${timeAgo(feed.builtAt, now)}, as stated by the feed`],
    ['found by', feed.foundBy],
    ['added', timeAgo(feed.addedAt, now)],
    ['last poll', timeAgo(schedule.polledAt, now)],
    ['gap', feed.gapAt && `${timeAgo(feed.gapAt, now)}; no entry in the feed was known, so some may be missing`],
    [
      'successor',
      feed.successorUrl &&
        `${feed.successorUrl}? To switch: freshet edit ${feed.id} --url ${quoteForShell(feed.successorUrl)}`,
    ],
    ['last success', timeAgo(schedule.succeededAt, now)],
    ['push', feed.push && describePush(feed.push, now)],
    ['next poll', `${timeAgo(schedule.dueAt, now)}, by the strategy ${schedule.strategy}`],
    ['reason', schedule.why?.words],
  ])
  if (rounds) for (const line of roundLines(rounds)) io.out(line)
  if (polls.length > 0) io.out('\nlast polls')
  for (const poll of polls) io.out(`  ${timeAgo(poll.at, now).padEnd(12)} ${plainLine(describePoll(poll))}`)
  if (entries.length > 0) io.out('\nlast entries')
  for (const entry of entries)
    io.out(
      `  e${entry.id}  ${timeAgo(entry.listedAt, now).padEnd(12)} ${plainLine(entry.title || entry.url || 'untitled')}`,
    )
}

async function showEntry(io: Io, id: number, queries: Queries, flags: Flags): Promise<void> {
  const entry = await queries.entryDetails(id)
  if (!entry) throw new InputError(`there is no entry e${id}`, 'freshet entries lists entries with their numbers')
  if (flags.json) return printJson(io, entry)
  const { article, copies, versions = [] } = entry
  const story = (await queries.groupsOfEntry(id))?.story?.group
  printFacts(io, [
    ['entry', `e${entry.id}  ${entry.title || 'untitled'}`],
    ['in its feed', entry.titleInFeed],
    ['address', entry.url],
    ['feed', `${entry.feedId}  ${entry.feedTitle ?? ''}`],
    ['author', entry.author],
    [
      'published',
      entry.publishedAt ??
        (entry.listedBy === 'seen' ? undefined : `${entry.listedAt} (${DATE_SOURCES[entry.listedBy]})`),
    ],
    ['date fault', entry.dateFault && DATE_FAULTS[entry.dateFault]],
    ['seen', entry.seenAt],
    ['changed', entry.changedAt],
    ['language', entry.language],
    ['category', entry.category],
    ['tags', entry.tags?.join(', ')],
    ['SimHash', entry.simhash],
    ...extraRows(entry),
    ...(article ? articleRows(article, io.now()) : []),
    ['copies', copies === undefined ? undefined : `${count(copies, 'copy', 'copies')}: freshet copies e${id}`],
    ['story', story && `${count(story.size, 'entry', 'entries')}: freshet stories g${story.id}`],
  ])
  for (const version of versions)
    io.out(`${'before'.padEnd(13)} ${plainLine(`${version.title}  (until ${version.until})`)}`)
  const text = (article?.state === 'read' && article.text) || entry.text
  if (text) io.out(`\n${text}`)
}

function extraRows({
  people = [],
  podcast,
  media = [],
  comments,
  place,
  licence,
}: EntryDetailsShape): [string, string | undefined][] {
  return [
    ['people', people.map(({ name, email, url, role }) => `${name ?? email ?? url} (${role})`).join(', ')],
    ['episode', podcast && describeEpisode(podcast)],
    ...(podcast?.transcripts ?? []).map(({ url }): [string, string] => ['transcript', url]),
    ...media.map((medium): [string, string] => [medium.preview ? 'preview' : medium.kind, describeMedium(medium)]),
    [
      'comments',
      comments && [comments.count, comments.url ?? comments.feedUrl].filter((part) => part !== undefined).join(': '),
    ],
    ['place', place && `${place.latitude}, ${place.longitude}`],
    ['licence', licence],
  ]
}

function describeEpisode({
  season,
  number,
  durationMs,
  explicit,
}: NonNullable<EntryDetailsShape['podcast']>): string | undefined {
  const parts = [
    season !== undefined && `season ${season}`,
    number !== undefined && `episode ${number}`,
    durationMs !== undefined && formatDuration(durationMs),
    explicit && 'explicit',
  ]
  return parts.filter(Boolean).join(', ') || undefined
}

function describeMedium({
  url,
  type,
  bytes,
  durationMs,
  width,
  height,
  title,
}: NonNullable<EntryDetailsShape['media']>[number]): string {
  const parts = [
    title,
    type,
    bytes !== undefined && formatSize(bytes),
    durationMs !== undefined && formatDuration(durationMs),
    width !== undefined && height !== undefined && `${width} x ${height}`,
  ]
  const about = parts.filter(Boolean).join(', ')
  return about ? `${url} (${about})` : url
}

const DATE_SOURCES = {
  published: 'from the feed',
  updated: 'from the feed, which only has a date of change',
  page: 'from its page',
  address: 'from its address',
  neighbours: 'from the entries beside it',
  order: 'from its position in the feed',
}

const DATE_FAULTS = {
  future: 'the date in the feed is in the future; the time it was seen is used',
  ancient: 'the date in the feed is a placeholder; it is ignored',
}

function articleRows(article: EntryArticleShape, now: Instant): [string, string | undefined][] {
  if (article.state !== 'read') {
    const { state, trouble, dueAt } = article
    const isDue = dueAt !== undefined && Date.parse(dueAt) <= now
    const next = isDue
      ? '; due as soon as a crawl runs and its host is free'
      : dueAt
        ? `; to be fetched ${timeAgo(dueAt, now)}`
        : ''
    return [['page', `${PAGE_STATES[state]}${trouble ? `: ${trouble.words}` : ''}${next}`]]
  }
  const { pageUrl, publishedAt, dateFrom, dateTrust, dateNotes = [] } = article
  const trust = dateTrust === undefined ? '' : `, trust ${Math.round(100 * dateTrust)} %`
  const notes = dateNotes.map((note) => `; ${describeDateNote(note)}`).join('')
  return [
    ['page', `${pageUrl}, ${article.words ?? 0} words, fetched ${timeAgo(article.fetchedAt, now)}`],
    ['authors', article.authors?.join(', ')],
    ['dated', publishedAt && `${publishedAt} (${ARTICLE_DATE_SOURCES[dateFrom ?? 'seen']}${trust}${notes})`],
    ['page is', article.paywall && `${article.paywall}: the full text is for subscribers`],
  ]
}

const PAGE_STATES = {
  waiting: 'not fetched yet',
  failed: 'could not be fetched',
  refused: 'refused by the site',
  forgotten: 'read, and no longer stored',
}
const ARTICLE_DATE_SOURCES = { feed: 'from the feed', page: 'from the page', seen: 'time it was seen' }

function printFacts(io: Io, rows: [string, string | undefined][]): void {
  for (const [name, value] of rows) if (value) io.out(`${name.padEnd(13)} ${plainLine(value)}`)
}

function describePush({ hub, state, pushes, pushedAt, leaseUntil, trouble }: PushShape, now: number): string {
  const count = pushes === 0 ? 'none yet' : `${pushes} so far, the last ${timeAgo(pushedAt, now)}`
  switch (state) {
    case 'trusted':
      return `by ${hub} (${count}), polled rarely as a safety net; the lease ends ${timeAgo(leaseUntil, now)}`
    case 'active':
      return `subscribed at ${hub} (${count}), polled as usual until the first push`
    case 'broken':
      return `by ${hub} (${count}), but a poll found an entry that was not pushed; polled as usual`
    default:
      return `${trouble ? trouble.words : 'requested, not confirmed yet'} (${hub}); polled as usual`
  }
}

const POLL_OCCASIONS = { manual: ', manual', older: ', older page', 'moved-feed': ', moved feed found' }

const NOT_MODIFIED_REASONS = { server: 'not modified', hash: 'same document', titles: 'same entries' }

function describePoll({ result, bytes, tookMs, occasion }: PollShape): string {
  const cost = `${formatSize(bytes)} in ${formatDuration(tookMs)}${occasion ? POLL_OCCASIONS[occasion] : ''}`
  switch (result.kind) {
    case 'failed':
      return result.trouble.words
    case 'not-modified':
      return `${NOT_MODIFIED_REASONS[result.by]} (${cost})`
    case 'read': {
      const gap = result.gap ? '; gap: no entry was known, so some may be missing' : ''
      return `${result.fresh} new, ${result.changed} changed of ${result.window} (${cost})${gap}`
    }
  }
}
