/**
 * Lists of entries as clients of Miniflux ask for them: filtered, ordered by number or by date, and cut by offset and limit. An offset costs
 * what it skips, so it is limited; clients that want all entries go on by `after_entry_id`, which costs nothing.
 */
import { type EntryId, type Instant, type PersonId, SECOND } from '../../../model/index.ts'
import type { ReaderQuery, ReadingScope } from '../../../ports/index.ts'
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

export interface EntryListParts extends Pick<AuthenticatedParts, 'readership' | 'catalogue' | 'clock'> {
  adapter: ReaderAdapter
}

export async function listedItems(
  parts: EntryListParts,
  personId: PersonId,
  scope: ReadingScope,
  form: Form,
): Promise<{ total: number; items: ReaderItem[] }> {
  const limit = wholeField(form, 'limit', DEFAULT_LIMIT, MAX_LIMIT) || MAX_LIMIT
  const offset = wholeField(form, 'offset', 0, MAX_OFFSET)
  const marks = marksIn(form)
  if (!marks) return { total: 0, items: [] }
  const search = form.get('search')
  const ids = search
    ? await bySearch(parts, personId, search, scope, offset + limit)
    : form.get('order') === 'published_at' && form.get('direction') !== 'asc' && offset <= MAX_OFFSET_BY_DATE
      ? await byDate(parts.adapter, personId, { ...scope, ...marks, ...datesIn(form) }, offset + limit)
      : await byArrival(parts.adapter, personId, { ...scope, ...marks }, form, offset + limit)
  const items = await parts.adapter.items(personId, ids.slice(offset))
  const isFull = items.length === limit
  const total = await totalOf(parts, personId, scope, marks)
  return { total: Math.max(total ?? 0, offset + items.length + (total === undefined && isFull ? 1 : 0)), items }
}

type Marks = { read?: boolean; starred?: true }

/** Undefined if nothing can match: no entry here has the status `removed`. */
function marksIn(form: Form): Marks | undefined {
  const wanted = form.all('status').flatMap((status) => status.split(','))
  const starred = /^(1|true)$/.test(form.get('starred') ?? '') ? { starred: true as const } : {}
  if (wanted.length === 0 || (wanted.includes('read') && wanted.includes('unread'))) return starred
  if (wanted.includes('read')) return { read: true, ...starred }
  return wanted.includes('unread') ? { read: false, ...starred } : undefined
}

function datesIn(form: Form): { since?: Instant; until?: Instant } {
  const since = wholeField(form, form.has('published_after') ? 'published_after' : 'after', 0, 1e11)
  const until = wholeField(form, form.has('published_before') ? 'published_before' : 'before', 0, 1e11)
  return { ...(since > 0 && { since: since * SECOND }), ...(until > 0 && { until: until * SECOND }) }
}

async function byDate(adapter: ReaderAdapter, personId: PersonId, wanted: Omit<ReaderQuery, 'limit'>, most: number) {
  const ids: EntryId[] = []
  const { readership } = await adapter.visibleTo(personId)
  for (let after: ReaderQuery['after']; ids.length < most; ) {
    const query = { ...wanted, limit: most - ids.length, ...(after && { after }) }
    const { entries, goesOnAfter } = await readership.entriesFor(personId, query)
    for (const { id } of entries) ids.push(id)
    if (!goesOnAfter) break
    after = goesOnAfter
  }
  return ids
}

async function byArrival(
  adapter: ReaderAdapter,
  personId: PersonId,
  wanted: ReadingScope & Marks,
  form: Form,
  most: number,
) {
  const isUp = form.get('direction') === 'asc' || form.has('after_entry_id')
  const [behind, before] = [wholeField(form, 'after_entry_id', 0, 1e15), wholeField(form, 'before_entry_id', 0, 1e15)]
  const start = isUp ? behind : before
  const { since, until } = datesIn(form)
  const { arrivals } = await adapter.arrivals(personId, {
    ...wanted,
    order: isUp ? 'oldest' : 'newest',
    ...(since !== undefined && { seenSince: since }),
    ...(until !== undefined && { seenUntil: until }),
    ...(start > 0 && { after: start as EntryId }),
    limit: most,
  })
  return arrivals.map(({ id }) => id).filter((id) => !isUp || before === 0 || id < before)
}

async function bySearch(
  { adapter, clock }: EntryListParts,
  reader: PersonId,
  q: string,
  { feedIds }: ReadingScope,
  most: number,
): Promise<EntryId[]> {
  const narrowed = { reader, limit: Math.min(most, MAX_LIMIT), now: clock.now(), order: 'date' as const }
  const visible = await adapter.visibleTo(reader)
  const answer = await findEntries(q, visible, { ...narrowed, ...(feedIds && { feedIds }) })
  if ('fault' in answer) throw new Problem(400, answer.fault, answer.hint)
  return answer.entries.map(({ id }) => id)
}

/** Undefined if counting would take too long: then a full page counts as having one more behind it. */
async function totalOf(
  { readership, catalogue }: EntryListParts,
  personId: PersonId,
  { feedIds, folder }: ReadingScope,
  { read, starred }: Marks,
): Promise<number | undefined> {
  if (starred) return (await readership.standing(personId)).starred
  if (feedIds) {
    if (read === false) return sum((await readership.readingsOf(personId, [...feedIds])).map((one) => one?.unread ?? 0))
    return sum(await catalogue.entryCounts([...feedIds]))
  }
  const { folders } = await readership.standing(personId)
  const within = folders.filter((one) => folder === undefined || (one.folder ?? '') === folder)
  if (read === false) return sum(within.map(({ unread }) => unread))
  if (sum(within.map(({ feeds }) => feeds)) > MAX_COUNTED_FEEDS) return undefined
  const query = { limit: MAX_COUNTED_FEEDS, ...(folder !== undefined && { folder }) }
  const readings = await readership.readings(personId, query)
  return sum(await catalogue.entryCounts(readings.map(({ feedId }) => feedId)))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
