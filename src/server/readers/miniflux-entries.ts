/**
 * Lists of entries as clients of Miniflux ask for them: narrowed down, by number or by date, and cut by offset and limit. An offset costs
 * what it skips, so there is a last one; whoever wants all goes on by `after_entry_id`, which costs nothing.
 */
import { type EntryId, type Instant, type PersonId, SECOND } from '../../model/index.ts'
import type { ReaderQuery, ReadingScope } from '../../ports/index.ts'
import { findEntries, visibleToUser } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import { type Form, wholeField } from './form.ts'
import { arrivalsOf, itemsWith, type ShelfItem, type ShelfParts } from './shelf.ts'

const USUAL = 100
const MOST = 1000
const FURTHEST = 50_000
/** By date the entries themselves are read, however many are skipped. */
const FURTHEST_BY_DATE = 2000
const MOST_COUNTED_FEEDS = 500

export async function listedItems(
  parts: ShelfParts,
  personId: PersonId,
  scope: ReadingScope,
  form: Form,
): Promise<{ total: number; items: ShelfItem[] }> {
  const limit = wholeField(form, 'limit', USUAL, MOST) || MOST
  const offset = wholeField(form, 'offset', 0, FURTHEST)
  const marks = marksIn(form)
  if (!marks) return { total: 0, items: [] }
  const search = form.get('search')
  const ids = search
    ? await found(parts, personId, search, scope, offset + limit)
    : form.get('order') === 'published_at' && form.get('direction') !== 'asc' && offset <= FURTHEST_BY_DATE
      ? await byDate(parts, personId, { ...scope, ...marks, ...datesIn(form) }, offset + limit)
      : await byArrival(parts, personId, { ...scope, ...marks }, form, offset + limit)
  const items = await itemsWith(parts, personId, ids.slice(offset))
  const isFull = items.length === limit
  const total = await totalOf(parts, personId, scope, marks)
  return { total: Math.max(total ?? 0, offset + items.length + (total === undefined && isFull ? 1 : 0)), items }
}

type Marks = { read?: boolean; starred?: true }

/** Undefined where nothing fits: nothing is ever removed here. */
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

async function byDate(parts: ShelfParts, personId: PersonId, wanted: Omit<ReaderQuery, 'limit'>, most: number) {
  const ids: EntryId[] = []
  const { readership } = await visibleToUser(personId, parts)
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
  parts: ShelfParts,
  personId: PersonId,
  wanted: ReadingScope & Marks,
  form: Form,
  most: number,
) {
  const isUp = form.get('direction') === 'asc' || form.has('after_entry_id')
  const [behind, before] = [wholeField(form, 'after_entry_id', 0, 1e15), wholeField(form, 'before_entry_id', 0, 1e15)]
  const start = isUp ? behind : before
  const { since, until } = datesIn(form)
  const { arrivals } = await arrivalsOf(parts, personId, {
    ...wanted,
    order: isUp ? 'oldest' : 'newest',
    ...(since !== undefined && { seenSince: since }),
    ...(until !== undefined && { seenUntil: until }),
    ...(start > 0 && { after: start as EntryId }),
    limit: most,
  })
  return arrivals.map(({ id }) => id).filter((id) => !isUp || before === 0 || id < before)
}

async function found(
  parts: ShelfParts,
  reader: PersonId,
  q: string,
  { feedIds }: ReadingScope,
  most: number,
): Promise<EntryId[]> {
  const narrowed = { reader, limit: Math.min(most, MOST), now: parts.clock.now(), order: 'date' as const }
  const visible = await visibleToUser(reader, parts)
  const answer = await findEntries(q, visible, { ...narrowed, ...(feedIds && { feedIds }) })
  if ('fault' in answer) throw new Problem(400, answer.fault, answer.hint)
  return answer.entries.map(({ id }) => id)
}

/** How many there are in all; undefined where to count them would take too long: then a full page has at least one more behind it. */
async function totalOf(
  { readership, catalogue }: ShelfParts,
  personId: PersonId,
  { feedIds, folder }: ReadingScope,
  { read, starred }: Marks,
): Promise<number | undefined> {
  if (starred) return (await readership.standing(personId)).starred
  if (feedIds) {
    if (read === false) return sum((await readership.readingsOf(personId, [...feedIds])).map((one) => one?.unread ?? 0))
    return sum(await catalogue.entryCounts([...feedIds]))
  }
  const folders = await readership.folderCounts(personId)
  const within = folders.filter((one) => folder === undefined || (one.folder ?? '') === folder)
  if (read === false) return sum(within.map(({ unread }) => unread))
  if (sum(within.map(({ feeds }) => feeds)) > MOST_COUNTED_FEEDS) return undefined
  const query = { limit: MOST_COUNTED_FEEDS, ...(folder !== undefined && { folder }) }
  const readings = await readership.readings(personId, query)
  return sum(await catalogue.entryCounts(readings.map(({ feedId }) => feedId)))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
