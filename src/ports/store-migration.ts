/**
 * All that a store keeps, as plain rows, for who carries it over into another store: kind by kind, in bites, with all ids as they are.
 * What a row is made of is said here once, and is the same for every store; how a store keeps it is its own business, and so is
 * whatever follows from the rest (hashes, counters, buckets). Not carried over: leases, for nobody may crawl meanwhile; and the
 * search index, which is filled again.
 *
 * The store that is filled remembers how far it is, in the same transaction that brings it there: whoever is interrupted goes
 * on where he was. Until it is finished nobody else can open it.
 */

/** Columns of each kind, in the order in which kinds are carried. Instants are milliseconds; what is JSON is text. */
export const CARGO = {
  feeds:
    columns(`id url root title description site_url language category hub format folder credentials etag last_modified
    body_hash window_hash subscribers hints wants ends bucket moving title_prefix articles gap_at errand sought_at
    successor_url name own_category built_at found_by fragments listed publisher_title quirks added_at`),
  schedules:
    columns(`feed_id state due_at polled_at succeeded_at failures trouble last_poll strategy memory trust because
    revision run`),
  sources: columns('id url root folder credentials about added_at state feed_id others due_at failures trouble listed'),
  entries:
    columns(`id feed_id sort_at seen_at changed_at published_at updated_at date_only date_fault estimated_at estimated_by
    language category key url title author summary content extras text_hash`),
  /** Keys of entries that are gone, by the decimal digits of their hash. */
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
  misses: columns('url host at'),
  runs: columns('began_at last_at'),
  pushes: columns('token feed_id state due_at facts'),
  folders: columns('name wants'),
  market: columns('id state'),
  named_budget: columns('id polls_per_day'),
  people: columns('id name folded allows password added_at'),
  passes: columns('id person_id kind name allows hash added_at used_at ends_at'),
  readings: columns(
    'person_id feed_id title folder folder_key added_at up_to was_up_to change_id unread reads read_at',
  ),
  waiting_readings: columns('person_id source_id title folder added_at'),
  marks: columns('person_id feed_id entry_id read was change_id'),
  stars: columns('person_id entry_id feed_id sort_at added_at'),
  left_feeds: columns('feed_id'),
  removed_people: columns('person_id'),
  removed_readings: columns('person_id feed_id'),
  saved_searches: columns('id person_id name folded query found_by unique_level added_at'),
  feeds_out: columns('id person_id name what feed_id search_id text unique_level key added_at used_at'),
  webhooks: columns('id person_id name url secret search_id state added_at due_at cursor failures last'),
  articles:
    columns(`id state wanted_at news_at due_at failures tried_at reads fetched_at same_as no_archive root url page_url
    led_to hops trouble`),
  article_lines: columns('root not_before_at'),
  article_entries: columns('entry_id article_id'),
  article_texts: columns('article_id fetched_at codec packed'),
  page_patterns: columns('id site codec packed'),
  pages: columns('article_id at pattern_id codec packed'),
  signatures: columns('place entry_id at placed_at compared_by simhash_high simhash_low signature'),
  groups: columns('id level primary_id size distance_sum first_at last_at into_id'),
  members: columns('entry_id level group_id at simhash_high simhash_low compared_by like_id likeness reason'),
  group_moves: columns('place entry_id level at from_id to_id compared_by'),
  feed_habits: columns('feed_id memory'),
  unplaced: columns('place entry_id'),
} as const satisfies Record<string, readonly string[]>

export type CargoKind = keyof typeof CARGO

export const CARGO_KINDS = Object.keys(CARGO) as CargoKind[]

/** The first columns, by which rows are told apart and are in order; one where nothing is said. */
export const CARGO_KEYS: { readonly [Kind in CargoKind]?: number } = {
  forgotten: 2,
  feed_hours: 2,
  members: 2,
  readings: 2,
  waiting_readings: 2,
  marks: 3,
  stars: 2,
  removed_readings: 2,
}

export type CargoValue = string | number | Uint8Array | null

/** In the order of its kind's columns. */
export type CargoRow = readonly CargoValue[]

/** Some rows, and the place after which the next begin; only the store that gave it knows what it means. */
export interface CargoBite {
  rows: CargoRow[]
  /** Absent at the end. */
  after?: string
}

/** The last that was ever given, of what is never given twice. */
export type LastIds = Record<LastingKind, number>

type LastingKind =
  | 'feeds'
  | 'sources'
  | 'entries'
  | 'articles'
  | 'groups'
  | 'people'
  | 'passes'
  | 'saved_searches'
  | 'feeds_out'
  | 'webhooks'
  | 'mark_changes'

export interface Ferry {
  /** The store, for people. */
  readonly name: string
  size(kind: CargoKind): Promise<number>
  /** At most `limit` rows after that place, from the beginning without one. */
  unload(kind: CargoKind, after: string | undefined, limit: number): Promise<CargoBite>
  lastIds(): Promise<LastIds>
  /**
   * From now on the store is filled with what `from` has. Answers how far it is, by kind: after which place the next rows are to be
   * loaded, or null where all are there. Throws a StoreError if it holds anything else.
   */
  begin(from: string): Promise<Map<CargoKind, string | null>>
  /** Adds rows, and remembers how far that is: null at the end of the kind. All of it or nothing. */
  load(kind: CargoKind, rows: readonly CargoRow[], after: string | null): Promise<void>
  /** All is there: works out what follows from it, lets all entries wait for the search index, and can be used. */
  finish(lastIds: LastIds): Promise<void>
  close(): Promise<void>
}

function columns(names: string): readonly string[] {
  return names.trim().split(/\s+/)
}
