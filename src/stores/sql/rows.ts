/** Converts database rows to the model and back. Absent fields are NULL. */
import { hash } from 'node:crypto'
import type {
  AboutFeed,
  ArticlePreference,
  Bucket,
  DateEstimate,
  DueReason,
  Entry,
  EntryDraft,
  EntryExtras,
  EntryId,
  EntryVersion,
  Failure,
  Feed,
  FeedCredentials,
  FeedFormat,
  FeedId,
  FeedQuirks,
  FeedState,
  FetchSettings,
  FollowUpTask,
  FoundBy,
  FragmentHabit,
  Instant,
  PollingGoals,
  PublisherHints,
  Schedule,
  ScheduledFeed,
  Source,
  SourceId,
  ValidatorTrust,
} from '../../model/index.ts'
import { optionalAddress, parseJsonColumn, requiredAddress } from './columns.ts'
import { unpackEntryContent } from './packed-content.ts'

export interface FeedRow {
  id: FeedId
  url: string
  root: string
  title: string
  description: string | null
  site_url: string | null
  language: string | null
  category: string | null
  hub: string | null
  format: FeedFormat | null
  folder: string | null
  credentials: string | null
  etag: string | null
  last_modified: string | null
  body_hash: string | null
  window_hash: string | null
  subscribers: number
  hints: string | null
  wants: string | null
  ends: string | null
  moving: string | null
  title_prefix: string | null
  articles: ArticlePreference | null
  gap_at: Instant | null
  errand: string | null
  sought_at: Instant | null
  successor_url: string | null
  name: string | null
  own_category: string | null
  built_at: Instant | null
  found_by: FoundBy | null
  fragments: FragmentHabit | null
  listed: 1 | null
  publisher_title: string | null
  quirks: string | null
  fetching: string | null
  added_at: Instant
  state: FeedState
  due_at: Instant
  polled_at: Instant | null
  succeeded_at: Instant | null
  failures: number
  trouble: string | null
  strategy: string
  memory: Buffer
  trust: string | null
  because: string | null
  revision: number
  bucket: Bucket | null
}

/** Columns of `feeds f JOIN schedules s`. */
export const FEED_COLUMNS = `f.id, f.url, f.root, f.title, f.description, f.site_url, f.language, f.category, f.hub, f.format,
  f.folder, f.credentials, f.etag, f.last_modified, f.body_hash, f.window_hash, f.subscribers, f.hints, f.wants, f.ends, f.moving, f.title_prefix, f.articles, f.gap_at, f.errand,
  f.sought_at, f.successor_url, f.name, f.own_category, f.built_at, f.found_by, f.fragments, f.listed, f.publisher_title, f.quirks, f.fetching, f.added_at, s.state, s.due_at, s.polled_at,
  s.succeeded_at, s.failures, s.trouble, s.strategy, s.memory, s.trust, s.because, s.revision, f.bucket`

export function feedOf(row: FeedRow): ScheduledFeed {
  const siteUrl = optionalAddress(row.site_url)
  const hub = optionalAddress(row.hub)
  const credentials = parseJsonColumn<FeedCredentials>(row.credentials)
  const hints = parseJsonColumn<PublisherHints>(row.hints)
  const wants = parseJsonColumn<PollingGoals>(row.wants)
  const ends = parseJsonColumn<string[]>(row.ends)
  const moving = withValidAddress(parseJsonColumn<NonNullable<Feed['moving']>>(row.moving), 'to')
  const followUp = withValidAddress(followUpOf(row.errand), 'url')
  const successorUrl = optionalAddress(row.successor_url)
  const trouble = parseJsonColumn<Failure>(row.trouble)
  const trust = parseJsonColumn<ValidatorTrust>(row.trust)
  const because = dueReasonOf(row.because)
  const quirks = parseJsonColumn<FeedQuirks>(row.quirks)
  const fetching = parseJsonColumn<FetchSettings>(row.fetching)
  return {
    feed: {
      id: row.id,
      url: requiredAddress(row.url),
      root: row.root,
      title: row.title,
      ...(row.description !== null && { description: row.description }),
      ...(siteUrl && { siteUrl }),
      ...(row.language !== null && { language: row.language }),
      ...(row.category !== null && { category: row.category }),
      ...(hub && { hub }),
      ...(row.format !== null && { format: row.format }),
      ...(row.folder !== null && { folder: row.folder }),
      ...(credentials && { credentials }),
      validators: {
        ...(row.etag !== null && { etag: row.etag }),
        ...(row.last_modified !== null && { lastModified: row.last_modified }),
      },
      ...(row.body_hash !== null && { bodyHash: row.body_hash }),
      ...(row.window_hash !== null && { windowHash: row.window_hash }),
      subscribers: row.subscribers,
      state: row.state,
      addedAt: row.added_at,
      ...(hints && { hints }),
      ...(wants && { wants }),
      ...(ends && { ends }),
      ...(row.bucket !== null && { bucket: row.bucket }),
      ...(moving && { moving }),
      ...(row.title_prefix !== null && { titlePrefix: row.title_prefix }),
      ...(row.articles !== null && { articles: row.articles }),
      ...(row.gap_at !== null && { gapAt: row.gap_at }),
      ...(followUp && { followUp }),
      ...(row.sought_at !== null && { siteSearchedAt: row.sought_at }),
      ...(successorUrl && { successorUrl }),
      ...(row.name !== null && { name: row.name }),
      ...(row.own_category !== null && { ownCategory: row.own_category }),
      ...(row.built_at !== null && { builtAt: row.built_at }),
      ...(row.found_by !== null && { foundBy: row.found_by }),
      ...(row.fragments !== null && { fragments: row.fragments }),
      ...(row.publisher_title !== null && { publisherTitle: row.publisher_title }),
      ...(quirks && { quirks }),
      ...(fetching && { fetching }),
      ...(row.listed === 1 && { listed: true }),
    },
    schedule: {
      strategy: row.strategy,
      memory: copyBytes(row.memory),
      dueAt: row.due_at,
      failures: row.failures,
      ...(row.polled_at !== null && { polledAt: row.polled_at }),
      ...(row.succeeded_at !== null && { succeededAt: row.succeeded_at }),
      ...(trouble && { trouble }),
      ...(trust && { trust }),
      ...(because && { because }),
    },
    revision: row.revision,
  }
}

/** Undefined if the address in field `name` is invalid, since the value is useless without it. */
function withValidAddress<T extends object>(value: T | undefined, name: keyof T): T | undefined {
  const to = value && optionalAddress(String(value[name]))
  return to && { ...value, [name]: to }
}

const NO_BYTES = new Uint8Array(0)

/** Copies bytes: a Buffer of better-sqlite3 may share its memory with others. */
export function copyBytes(buffer: Buffer): Uint8Array {
  return buffer.length === 0 ? NO_BYTES : new Uint8Array(buffer)
}

/** due_at, polled_at, succeeded_at, failures, trouble, strategy, memory, trust, because */
export function scheduleColumns(schedule: Schedule): (string | number | Uint8Array | null)[] {
  return [
    schedule.dueAt,
    schedule.polledAt ?? null,
    schedule.succeededAt ?? null,
    schedule.failures,
    jsonOrNull(schedule.trouble),
    schedule.strategy,
    schedule.memory,
    jsonOrNull(schedule.trust),
    jsonOrNull(schedule.because),
  ]
}

/** Title and address, as `feeds({ text })` searches them. */
export function haystackOf(title: string, url: string): string {
  return `${title}\n${url}`.toLowerCase()
}

export interface SourceRow {
  id: SourceId
  url: string
  root: string
  folder: string | null
  credentials: string | null
  about: string | null
  listed: 1 | null
  added_at: Instant
  state: Source['state']
  feed_id: FeedId | null
  others: string | null
  due_at: Instant
  failures: number
  trouble: string | null
}

export function sourceOf(row: SourceRow): Source {
  const credentials = parseJsonColumn<FeedCredentials>(row.credentials)
  const about = parseJsonColumn<AboutFeed>(row.about)
  const others = parseJsonColumn<string[]>(row.others)
  const trouble = parseJsonColumn<Failure>(row.trouble)
  return {
    id: row.id,
    url: requiredAddress(row.url),
    root: row.root,
    ...(row.folder !== null && { folder: row.folder }),
    ...(credentials && { credentials }),
    ...(about && { about }),
    ...(row.listed === 1 && { listed: true }),
    addedAt: row.added_at,
    state: row.state,
    ...(row.feed_id !== null && { feedId: row.feed_id }),
    ...(others && { others: others.flatMap((other) => optionalAddress(other) ?? []) }),
    dueAt: row.due_at,
    failures: row.failures,
    ...(trouble && { trouble }),
  }
}

export interface EntryRow {
  id: EntryId
  feed_id: FeedId
  sort_at: Instant
  seen_at: Instant
  changed_at: Instant | null
  published_at: Instant | null
  updated_at: Instant | null
  date_only: 1 | null
  date_fault: 'future' | 'ancient' | null
  estimated_at: Instant | null
  estimated_by: DateEstimate['by'] | null
  language: string | null
  category: string | null
  /** Empty if it equals the address. */
  key: string
  url: string | null
  title: string
  author: string | null
  summary: string | null
  /** Bytes if it is compressed. */
  content: string | Buffer | null
  extras: string | null
}

export const ENTRY_COLUMNS = `e.id, e.feed_id, e.sort_at, e.seen_at, e.changed_at, e.published_at, e.updated_at, e.date_only, e.date_fault, e.estimated_at, e.estimated_by, e.language,
  e.category, e.key,
  e.url, e.title, e.author, e.summary, e.content, e.extras`

export function entryOf(row: EntryRow): Entry {
  const content = unpackEntryContent(row.content)
  return {
    key: entryKeyOf(row),
    ...(row.url !== null && { url: row.url }),
    title: row.title,
    ...(row.summary !== null && { summary: row.summary }),
    ...(content !== null && { content }),
    ...(row.author !== null && { author: row.author }),
    ...(row.published_at !== null && { publishedAt: row.published_at }),
    ...(row.updated_at !== null && { updatedAt: row.updated_at }),
    ...(row.date_only !== null && { dateOnly: true as const }),
    ...(row.date_fault !== null && { dateFault: row.date_fault }),
    ...(row.estimated_at !== null &&
      row.estimated_by !== null && { estimate: { at: row.estimated_at, by: row.estimated_by } }),
    ...(row.language !== null && { language: row.language }),
    ...(row.category !== null && { category: row.category }),
    ...parseJsonColumn<EntryExtras>(row.extras),
    id: row.id,
    feedId: row.feed_id,
    seenAt: row.seen_at,
    ...(row.changed_at !== null && { changedAt: row.changed_at }),
  }
}

/** The key of most entries is their address, which is not stored twice. */
export function keyColumn({ key, url }: Pick<EntryDraft, 'key' | 'url'>): string {
  return key === url ? '' : key
}

export function entryKeyOf({ key, url }: { key: string; url: string | null }): string {
  return key === '' && url !== null ? url : key
}

/** Eight bytes suffice to distinguish the keys of one feed; a collision would cost the feed one entry. */
export function keyHash(key: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', key).slice(0, 16)}`))
}

export function jsonOrNull(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

export interface VersionRow {
  title: string
  url: string | null
  until: Instant
  body: string | null
}

export function versionOf({ title, url, until, body }: VersionRow): EntryVersion {
  return { title, ...(url !== null && { url }), until, ...(body !== null && { body }) }
}

/** Stores written before 0.2.0 say "asked" instead of "requested". */
function followUpOf(column: string | null): FollowUpTask | undefined {
  const followUp = parseJsonColumn<FollowUpTask | (Omit<FollowUpTask, 'kind'> & { kind: 'seek' })>(column)
  return followUp?.kind === 'seek' ? { ...followUp, kind: 'moved-feed' } : followUp // stores of before 0.3.0 say "seek"
}

function dueReasonOf(column: string | null): DueReason | undefined {
  const reason = parseJsonColumn<Omit<DueReason, 'by'> & { by: DueReason['by'] | 'asked' }>(column)
  return reason && { ...reason, by: reason.by === 'asked' ? 'requested' : reason.by }
}
