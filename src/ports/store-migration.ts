/**
 * Migration of all data of a store to another store, as plain rows: kind by kind, in batches, with unchanged ids. The columns are defined
 * here and are the same for every store. Each store maps them to its own tables, and computes derived data (hashes, counters, buckets)
 * itself. Not migrated: leases, because no crawl may run meanwhile, and the search index, which is rebuilt.
 *
 * The target store records its progress in the same transaction as the rows, so an interrupted migration continues where it stopped.
 * Until the migration is finished, the target cannot be opened for anything else.
 */

/** The columns of each kind, in the order of migration. Instants are milliseconds; JSON is text. */
export const EXPORT_COLUMNS = {
  feeds:
    columns(`id url root title description site_url language category hub format folder credentials etag last_modified
    body_hash window_hash subscribers hints wants ends bucket moving title_prefix articles gap_at errand sought_at
    successor_url name own_category built_at found_by fragments listed publisher_title quirks fetching added_at`),
  schedules:
    columns(`feed_id state due_at polled_at succeeded_at failures trouble last_poll strategy memory trust because
    revision run`),
  sources: columns('id url root folder credentials about added_at state feed_id others due_at failures trouble listed'),
  entries:
    columns(`id feed_id sort_at seen_at changed_at published_at updated_at date_only date_fault estimated_at estimated_by
    language category key url title author summary content extras text_hash`),
  /** Hashes, in decimal digits, of the keys of deleted entries. */
  forgotten: columns('feed_id key_hash'),
  entry_versions: columns('place entry_id until title url body'),
  polls: columns(
    `place previous feed_id at took_ms bytes asked occasion rest_until result fresh changed window_size failure times
    began_at run`,
  ),
  feed_hours: columns('feed_id hour entries pages'),
  removals: columns('feed_id last_poll'),
  hosts: columns('root not_before_at strikes trouble budget crawl_delay incident'),
  robots: columns('origin root fetched_at bytes record'),
  failed_probes: columns('url host at'),
  runs: columns('began_at last_at'),
  hub_subscriptions: columns('token feed_id state due_at facts'),
  folders: columns('name wants'),
  market: columns('id state'),
  named_budget: columns('id polls_per_day'),
  users: columns('id name folded_name scope password added_at'),
  credentials: columns('id user_id kind name scope hash added_at used_at expires_at method address'),
  subscriptions: columns(
    'user_id feed_id title folder folder_key added_at read_up_to previous_read_up_to change_id unread reads read_at',
  ),
  pending_subscriptions: columns('user_id source_id title folder added_at'),
  read_states: columns('user_id feed_id entry_id read was_read change_id'),
  stars: columns('user_id entry_id feed_id sort_at added_at'),
  labels: columns('user_id label_id name folded_name added_at'),
  entry_labels: columns('user_id entry_id label_id feed_id sort_at added_at'),
  unfollowed_feeds: columns('feed_id'),
  removed_users: columns('user_id'),
  removed_subscriptions: columns('user_id feed_id'),
  saved_searches: columns('id user_id name folded_name query found_by unique_level added_at'),
  outgoing_feeds: columns('id user_id name what feed_id search_id text unique_level key added_at used_at'),
  webhooks: columns('id user_id name url secret search_id state added_at due_at cursor failures last'),
  user_values: columns('user_id kind key value changed_at'),
  articles:
    columns(`id state wanted_at news_at due_at failures tried_at reads fetched_at same_as no_archive root url page_url
    led_to hops trouble`),
  article_queues: columns('root not_before_at'),
  article_entries: columns('entry_id article_id'),
  article_texts: columns('article_id fetched_at codec packed'),
  page_patterns: columns('id site codec packed'),
  pages: columns('article_id at pattern_id codec packed'),
  signatures: columns('place entry_id at grouped_at compared_by simhash_high simhash_low signature'),
  groups: columns('id level primary_id size distance_sum first_at last_at into_id'),
  members: columns('entry_id level group_id at simhash_high simhash_low compared_by like_id likeness reason'),
  group_moves: columns('place entry_id level at from_id to_id compared_by'),
  feed_boilerplate: columns('feed_id memory'),
  ungrouped: columns('place entry_id'),
} as const satisfies Record<string, readonly string[]>

export type RowKind = keyof typeof EXPORT_COLUMNS

export const ROW_KINDS = Object.keys(EXPORT_COLUMNS) as RowKind[]

/** How many of the first columns are the key, which rows are sorted by. Default: one. */
export const KEY_COLUMN_COUNTS: { readonly [Kind in RowKind]?: number } = {
  forgotten: 2,
  feed_hours: 2,
  members: 2,
  subscriptions: 2,
  pending_subscriptions: 2,
  read_states: 3,
  stars: 2,
  labels: 2,
  entry_labels: 3,
  removed_subscriptions: 2,
  user_values: 3,
}

export type ColumnValue = string | number | Uint8Array | null

/** Values in the order of the columns of its kind. */
export type ExportedRow = readonly ColumnValue[]

/** A batch of rows, and the position at which the next batch starts, which is opaque to callers. */
export interface RowBatch {
  rows: ExportedRow[]
  /** Absent at the end. */
  after?: string
}

/** The last id assigned per kind. Ids are never reused. */
export type LastIds = Record<KindWithIds, number>

type KindWithIds =
  | 'feeds'
  | 'sources'
  | 'entries'
  | 'articles'
  | 'groups'
  | 'users'
  | 'credentials'
  | 'saved_searches'
  | 'outgoing_feeds'
  | 'webhooks'
  | 'read_state_changes'

export interface StoreMigration {
  /** Description of the store for users. */
  readonly name: string
  size(kind: RowKind): Promise<number>
  /** Returns at most `limit` rows after this position; without one, from the start. */
  readRows(kind: RowKind, after: string | undefined, limit: number): Promise<RowBatch>
  lastIds(): Promise<LastIds>
  /**
   * Starts or continues the migration from the store named `from`. Returns the progress by kind: the position after which to continue, or
   * null for complete kinds. Throws a StoreError if the store contains other data.
   */
  begin(from: string): Promise<Map<RowKind, string | null>>
  /** Adds rows and records the progress, null at the end of the kind, in one transaction. */
  writeRows(kind: RowKind, rows: readonly ExportedRow[], after: string | null): Promise<void>
  /** Completes the migration: computes derived data, queues all entries for the search index, and makes the store usable. */
  finish(lastIds: LastIds): Promise<void>
  close(): Promise<void>
}

function columns(names: string): readonly string[] {
  return names.trim().split(/\s+/)
}
