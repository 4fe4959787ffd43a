/**
 * A list of entries, loaded page by page. New entries do not move the list while the user reads: they are counted and wait until the user
 * asks for them. Lists are kept while the page is open, and the scroll position survives a reload (`restored`).
 */
import { untrack } from 'svelte'
import type { FoundEntryShape, HitsShape, ReasonShape } from '../../src/api/index.ts'
import { api, errorMessage } from '../shell/api.ts'
import { keyOf, type ListSpec } from '../shell/router.svelte.ts'
import { session } from '../shell/session.svelte.ts'
import { entryState } from './entry-state.svelte.ts'
import type { ListChoices } from './list-choices.svelte.ts'
import { sendInteractions } from './reported-interactions.ts'

/** `reasons`: in "For you", why it is at its place. */
export type Item = FoundEntryShape & { reasons?: ReasonShape[] }

type Query = NonNullable<NonNullable<Parameters<typeof api.listEntries>[0]>['query']>

const FIRST = 60
/** For a query that is being typed. */
const FIRST_TYPING = 30
const MORE = 250
const HEAD = 50
/** Of "For you", which has a single page. */
const RANKED = 100
/** Ranking all unread entries costs more than a list. */
const RANKED_AGAIN_MS = 60_000
/** Of a list grouped by feed, this many entries are sorted by feed at a time, so that nothing moves when more are loaded. */
const GROUPED = 250
/** Entries loaded again after a reload at most, in pages that the server accepts. */
const MOST_RESTORED = 10_000
const LARGEST_STEP = 1000
const KEPT_LISTS = 8
const REST_MS = 150

interface Position {
  loaded: number
  anchor: number
  offset: number
}

export class EntryList {
  readonly spec: ListSpec
  readonly key: string
  items = $state.raw<Item[]>([])
  state = $state<'loading' | 'ready' | 'failed'>('loading')
  trouble = $state('')
  /** New entries, in the order of the list, that are not in it yet. */
  waiting = $state.raw<Item[]>([])
  /** There may be more new entries than were loaded. */
  isWaitingMore = $state(false)
  next = $state.raw<string | undefined>()
  /** For searches: the number of hits, and how many are folded into stories so far. */
  hits = $state.raw<HitsShape | undefined>()
  /** For a search that is being typed: queries that it may become. */
  completions = $state.raw<readonly string[]>([])
  /** The scroll position: the first visible entry, and how far it is scrolled out of view. */
  position = $state.raw<Position | undefined>()
  readonly #query: Query
  readonly #isGroupedByFeed: boolean
  #busy: Promise<void> | undefined
  #ids = new Set<number>()
  #rankedAt = 0
  /** The items are those of the search before, shown until the first answer. */
  #isStale: boolean
  readonly #abort = new AbortController()

  constructor(spec: ListSpec, key: string, query: Query, isGroupedByFeed: boolean, before: readonly Item[] = []) {
    this.spec = spec
    this.key = key
    this.#query = query
    this.#isGroupedByFeed = isGroupedByFeed
    this.items = [...before]
    this.#isStale = before.length > 0
  }

  /** Stops loading, for a search that was typed on. */
  abort(): void {
    this.#abort.abort()
  }

  get #isOldestFirst(): boolean {
    return this.#query.order === 'oldest'
  }

  get isAtEnd(): boolean {
    return this.state === 'ready' && this.next === undefined
  }

  async start(): Promise<void> {
    const position = readPosition(this.key)
    this.position = position
    await this.#load(Math.min(Math.max(this.#first, position?.loaded ?? 0), MOST_RESTORED))
  }

  /** Reloads from the top. */
  async reload(): Promise<void> {
    this.position = undefined
    this.items = []
    this.waiting = []
    this.isWaitingMore = false
    this.next = undefined
    this.hits = undefined
    this.state = 'loading'
    this.#isStale = false
    await this.#load(this.#first)
  }

  get #first(): number {
    return this.spec.isTyping ? FIRST_TYPING : firstPageSize(this.#isGroupedByFeed)
  }

  /** Loads the next page. May be called at any time. */
  more(): Promise<void> {
    if (this.next === undefined || this.state !== 'ready') return Promise.resolve()
    this.#busy ??= this.#append(MORE).finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  /** Checks for new entries: at the top of the list, or at its end if the oldest come first. */
  async lookForNews(): Promise<void> {
    if (this.state !== 'ready' || this.spec.kind === 'listening') return
    if (this.spec.kind === 'for-you') return this.#lookForRanked()
    if (this.#isOldestFirst) {
      if (this.isAtEnd) await this.#lookBehindEnd()
      return
    }
    const { entries } = await api.listEntries({ query: { ...this.#query, limit: HEAD } })
    const fresh = entries.filter(({ id }) => !this.#ids.has(id))
    // An unknown entry below a known one is not new; it left a group, and appears after a reload.
    const firstKnown = entries.findIndex(({ id }) => this.#ids.has(id))
    this.waiting = firstKnown < 0 ? fresh : entries.slice(0, firstKnown)
    this.isWaitingMore = firstKnown < 0 && this.items.length > 0 && entries.length === HEAD
    if (this.items.length === 0) this.takeNews()
  }

  async #lookBehindEnd(): Promise<void> {
    const newest = this.items.reduce((latest, { listedAt }) => (listedAt > latest ? listedAt : latest), '')
    const since = newest === '' ? {} : { since: newest }
    const { entries } = await api.listEntries({ query: { ...this.#query, ...since, limit: HEAD } })
    this.waiting = entries.filter(({ id }) => !this.#ids.has(id))
    if (this.items.length === 0) this.takeNews()
  }

  /** The order of a ranking changes only when it is reloaded. */
  async #lookForRanked(): Promise<void> {
    if (Date.now() - this.#rankedAt < RANKED_AGAIN_MS) return
    this.waiting = (await this.#ranking()).filter(({ id }) => !this.#ids.has(id))
    if (this.items.length === 0) this.takeNews()
  }

  takeNews(): void {
    if (this.#isOldestFirst) {
      this.#take([...this.items, ...this.waiting.filter(({ id }) => !this.#ids.has(id))])
      this.waiting = []
      return
    }
    if (this.isWaitingMore || this.spec.kind === 'for-you') {
      void this.reload()
      return
    }
    const news = this.waiting
    this.waiting = []
    const ids = new Set(news.map(({ id }) => id))
    this.#take([...news, ...this.items.filter(({ id }) => !ids.has(id))])
  }

  /** Called on every scroll event; stored once scrolling stops or the page is left. */
  remember(anchor: number, offset: number): void {
    this.position = { loaded: this.items.length, anchor, offset }
    unwritten.add(this)
    clearTimeout(writing)
    writing = setTimeout(writePositions, REST_MS)
  }

  async #load(wanted: number): Promise<void> {
    try {
      if (this.#query.unread || this.spec.kind === 'for-you') await entryState.flush()
      if (this.spec.kind === 'for-you') return await this.#loadRanking()
      await this.#append(Math.min(wanted, LARGEST_STEP))
      while (this.items.length < wanted && this.next !== undefined)
        await this.#append(Math.min(LARGEST_STEP, wanted - this.items.length + FIRST))
      this.state = 'ready'
    } catch (error) {
      if (this.#abort.signal.aborted) return
      this.trouble = errorMessage(error)
      this.state = 'failed'
    }
  }

  async #loadRanking(): Promise<void> {
    await sendInteractions()
    this.#take(await this.#ranking())
    this.state = 'ready'
  }

  async #ranking(): Promise<Item[]> {
    this.#rankedAt = Date.now()
    const query = { limit: RANKED, ...(this.#query.excerpts !== undefined && { excerpts: this.#query.excerpts }) }
    return (await api.getForYou({ query }, this.#abort.signal)).entries
  }

  async #append(limit: number): Promise<void> {
    const cursor = this.next
    // A page may be empty without being the last, if few entries match: limits the pages per call.
    let found: Item[] = []
    let next: string | undefined = cursor
    for (let tries = 0; tries < 20 && found.length === 0; tries++) {
      const query = { ...this.#query, limit, ...(next && { cursor: next }) }
      const answer = await this.#page(query)
      found = answer.entries.filter(({ id }) => !this.#ids.has(id))
      next = answer.next
      if (answer.completions) this.completions = answer.completions
      if (answer.hits) this.hits = { ...this.hits, ...answer.hits } // only the first answer has the total
      if (next === undefined) break
    }
    this.next = next
    // Of a long list, only the top is checked.
    for (const { id } of found) this.#ids.add(id)
    const sorted = this.#isGroupedByFeed ? sortedByFeed(found) : found
    this.items = this.#isStale ? sorted : this.items.concat(sorted)
    this.#isStale = false
  }

  async #page(query: Query): Promise<Awaited<ReturnType<typeof api.listEntries>>> {
    const { signal } = this.#abort
    if (this.spec.kind !== 'listening') return api.listEntries({ query }, signal)
    const { limit = MORE, cursor } = query
    const wanted = { state: 'started', entries: true, limit, ...(cursor && { cursor }) } as const
    const { playback, next } = await api.listPlayback({ query: wanted }, signal)
    return { entries: playback.flatMap(({ entry }) => entry ?? []), ...(next && { next }) }
  }

  #take(items: Item[]): void {
    this.items = items
    this.#ids = new Set(items.map(({ id }) => id))
  }
}

const unwritten = new Set<EntryList>()
let writing: ReturnType<typeof setTimeout> | undefined

function writePositions(): void {
  try {
    for (const { key, position } of unwritten) sessionStorage.setItem(`freshet.at.${key}`, JSON.stringify(position))
  } catch {
    // Without storage, a reload starts at the top.
  }
  unwritten.clear()
}
addEventListener('pagehide', writePositions)

const lists = new Map<string, EntryList>()

/** Returns the same list for the same query. */
export function listFor(spec: ListSpec, choices: ListChoices): EntryList {
  const isGroupedByFeed = choices.groupBy === 'feed'
  const query = queryOf(spec, choices)
  const key = `${keyOf(spec)}|${JSON.stringify(query)}|${isGroupedByFeed}`
  const known = lists.get(key)
  lists.delete(key)
  const list = known ?? untrack(() => newList(spec, key, query, isGroupedByFeed))
  lists.set(key, list)
  for (const [old] of [...lists].slice(0, Math.max(0, lists.size - KEPT_LISTS))) lists.delete(old)
  if (!known) queueMicrotask(() => void list.start()) // not during rendering
  return list
}

/** The query for the first page of a list, as its view sends it. */
export function firstPageQuery(spec: ListSpec, choices: ListChoices): Query {
  return { ...queryOf(spec, choices), limit: firstPageSize(choices.groupBy === 'feed') }
}

/** Of a list grouped by feed, all entries that are sorted together. */
const firstPageSize = (isGroupedByFeed: boolean) => (isGroupedByFeed ? GROUPED : FIRST)

function sortedByFeed(entries: readonly Item[]): Item[] {
  return [...Map.groupBy(entries, ({ feedId }) => feedId).values()].flat()
}

/** While a search is typed, the results before are shown until the next are there. */
function newList(spec: ListSpec, key: string, query: Query, isGroupedByFeed: boolean): EntryList {
  const before = [...lists.values()].at(-1)
  dropUnfinished()
  const isTypedOn = spec.kind === 'search' && before?.spec.isTyping
  return new EntryList(spec, key, query, isGroupedByFeed, isTypedOn ? before.items : [])
}

/** A search that was typed on before it was answered is not waited for. */
function dropUnfinished(): void {
  for (const [key, list] of lists)
    if (list.spec.isTyping && list.state === 'loading') {
      list.abort()
      lists.delete(key)
    }
}

function queryOf(spec: ListSpec, { order, unique, unreadOnly, layout }: ListChoices): Query {
  const query: Query = { ...scopeOf(spec, unique), ...(layout !== 'compact' && { excerpts: true }) }
  if (unreadOnly && session.canWrite) query.unread = true
  if (query.q !== undefined) query.sort = spec.isTyping || order === 'best' ? 'relevance' : 'date'
  else if (order === 'oldest') query.order = 'oldest'
  return query
}

function scopeOf({ kind, value, isTyping }: ListSpec, isUnique: boolean): Query {
  const unique = isUnique ? 'story' : 'none'
  // Users who cannot follow feeds read all entries that they can see.
  const whose = session.canWrite ? { mine: true } : {}
  switch (kind) {
    case 'feed':
      return { feed: value, unique: 'none' }
    case 'folder':
      return { folder: value, mine: true, unique }
    case 'category':
      return { category: value, ...whose, unique }
    case 'search':
      return value.trim() === '' ? { ...whose, unique } : { q: value, unique, ...(isTyping && { typing: true }) }
    case 'unread':
      return { mine: true, unread: true, unique }
    case 'starred':
      return { starred: true, unique: 'none' }
    case 'label':
      return { label: value, unique: 'none' }
    case 'muted':
      return { muted: true, unique: 'none' }
    default:
      return { ...whose, unique }
  }
}

function readPosition(key: string): Position | undefined {
  try {
    const { loaded, anchor, offset } = JSON.parse(sessionStorage.getItem(`freshet.at.${key}`) ?? '{}')
    return Number.isFinite(loaded + anchor + offset) ? { loaded, anchor, offset } : undefined
  } catch {
    return undefined
  }
}
