/**
 * Lists of entries as clients of Miniflux ask for them: filtered, ordered by number or by date, and cut by offset and limit. An offset costs
 * what it skips, so it is limited; clients that want all entries go on by `after_entry_id`, which costs nothing.
 */
import { type EntryId, type Instant, SECOND, type UserId } from '../../../model/index.ts'
import type { ReaderQuery, SubscriptionScope } from '../../../ports/index.ts'
import { findEntries } from '../../../views/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { type Form, wholeField } from '../form.ts'
import type { ReaderAdapter, ReaderItem } from '../reader-adapter.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_OFFSET = 50_000
/** Lists by date read every entry that they skip. */
const MAX_OFFSET_BY_DATE = 2000
const MAX_COUNTED_FEEDS = 500

export interface EntryListParts extends Pick<AuthenticatedParts, 'readerState' | 'catalogue' | 'clock'> {
  adapter: ReaderAdapter
}

export async function listedItems(
  parts: EntryListParts,
  userId: UserId,
  scope: SubscriptionScope,
  form: Form,
): Promise<{ total: number; items: ReaderItem[] }> {
  const limit = wholeField(form, 'limit', DEFAULT_LIMIT, MAX_LIMIT) || MAX_LIMIT
  const offset = wholeField(form, 'offset', 0, MAX_OFFSET)
  const stateFilter = marksIn(form)
  if (!stateFilter) return { total: 0, items: [] }
  const search = form.get('search')
  const ids = search
    ? await bySearch(parts, userId, search, scope, offset + limit)
    : form.get('order') === 'published_at' && form.get('direction') !== 'asc' && offset <= MAX_OFFSET_BY_DATE
      ? await byDate(parts.adapter, userId, { ...scope, ...stateFilter, ...datesIn(form) }, offset + limit)
      : await byArrival(parts.adapter, userId, { ...scope, ...stateFilter }, form, offset + limit)
  const items = await parts.adapter.loadItems(userId, ids.slice(offset))
  const isFull = items.length === limit
  const total = await totalOf(parts, userId, scope, stateFilter)
  return { total: Math.max(total ?? 0, offset + items.length + (total === undefined && isFull ? 1 : 0)), items }
}

type Marks = { read?: boolean; starred?: true }

/** Undefined if nothing can match: no entry here has the status `removed`. */
function marksIn(form: Form): Marks | undefined {
  const stateQuery = form.all('status').flatMap((status) => status.split(','))
  const starred = /^(1|true)$/.test(form.get('starred') ?? '') ? { starred: true as const } : {}
  if (stateQuery.length === 0 || (stateQuery.includes('read') && stateQuery.includes('unread'))) return starred
  if (stateQuery.includes('read')) return { read: true, ...starred }
  return stateQuery.includes('unread') ? { read: false, ...starred } : undefined
}

function datesIn(form: Form): { since?: Instant; until?: Instant } {
  const since = wholeField(form, form.has('published_after') ? 'published_after' : 'after', 0, 1e11)
  const until = wholeField(form, form.has('published_before') ? 'published_before' : 'before', 0, 1e11)
  return { ...(since > 0 && { since: since * SECOND }), ...(until > 0 && { until: until * SECOND }) }
}

async function byDate(adapter: ReaderAdapter, userId: UserId, stateQuery: Omit<ReaderQuery, 'limit'>, count: number) {
  const ids: EntryId[] = []
  const { readerState } = await adapter.visibleTo(userId)
  for (let after: ReaderQuery['after']; ids.length < count; ) {
    const query = { ...stateQuery, limit: count - ids.length, ...(after && { after }) }
    const { entries, nextAfter } = await readerState.entriesFor(userId, query)
    for (const { id } of entries) ids.push(id)
    if (!nextAfter) break
    after = nextAfter
  }
  return ids
}

async function byArrival(
  adapter: ReaderAdapter,
  userId: UserId,
  stateQuery: SubscriptionScope & Marks,
  form: Form,
  count: number,
) {
  const isUp = form.get('direction') === 'asc' || form.has('after_entry_id')
  const [afterId, beforeId] = [
    wholeField(form, 'after_entry_id', 0, 1e15),
    wholeField(form, 'before_entry_id', 0, 1e15),
  ]
  const start = isUp ? afterId : beforeId
  const { since, until } = datesIn(form)
  const { arrivals } = await adapter.listArrivals(userId, {
    ...stateQuery,
    order: isUp ? 'oldest' : 'newest',
    ...(since !== undefined && { seenSince: since }),
    ...(until !== undefined && { seenUntil: until }),
    ...(start > 0 && { after: start as EntryId }),
    limit: count,
  })
  return arrivals.map(({ id }) => id).filter((id) => !isUp || beforeId === 0 || id < beforeId)
}

async function bySearch(
  { adapter, clock }: EntryListParts,
  reader: UserId,
  q: string,
  { feedIds }: SubscriptionScope,
  count: number,
): Promise<EntryId[]> {
  const narrowed = { reader, limit: Math.min(count, MAX_LIMIT), now: clock.now(), order: 'date' as const }
  const visible = await adapter.visibleTo(reader)
  const answer = await findEntries(q, visible, { ...narrowed, ...(feedIds && { feedIds }) })
  if ('fault' in answer) throw new Problem(400, answer.fault, answer.hint)
  return answer.entries.map(({ id }) => id)
}

/** Undefined if counting would take too long: then a full page counts as having one more behind it. */
async function totalOf(
  { readerState, catalogue }: EntryListParts,
  userId: UserId,
  { feedIds, folder }: SubscriptionScope,
  { read, starred }: Marks,
): Promise<number | undefined> {
  if (starred) return (await readerState.readerCounts(userId)).starred
  if (feedIds) {
    if (read === false)
      return sum((await readerState.subscriptionsTo(userId, [...feedIds])).map((one) => one?.unread ?? 0))
    return sum(await catalogue.entryCounts([...feedIds]))
  }
  const { folders } = await readerState.readerCounts(userId)
  const within = folders.filter((one) => folder === undefined || (one.folder ?? '') === folder)
  if (read === false) return sum(within.map(({ unread }) => unread))
  if (sum(within.map(({ feeds }) => feeds)) > MAX_COUNTED_FEEDS) return undefined
  const query = { limit: MAX_COUNTED_FEEDS, ...(folder !== undefined && { folder }) }
  const subscriptions = await readerState.subscriptionsOf(userId, query)
  return sum(await catalogue.entryCounts(subscriptions.map(({ feedId }) => feedId)))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
