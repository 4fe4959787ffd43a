/**
 * Streams of the Google Reader API: `feed/3` (or the address behind `feed/`), `user/-/label/News` for a folder, and states: the reading
 * list is all, read and starred are what they say. A page of one is in the order of arrival, and goes on behind the id of its last.
 */
import { type EntryId, type FeedId, type PersonId, SECOND } from '../../model/index.ts'
import type { ArrivalQuery } from '../../ports/index.ts'
import { Problem } from '../problem.ts'
import { type Form, wholeField } from './form.ts'
import { arrivalsOf, type ShelfParts } from './shelf.ts'

export const STATE = 'user/-/state/com.google/'
export const LABEL = 'user/-/label/'

/** What a stream holds, as the store can be asked. */
type Scope = Pick<ArrivalQuery, 'feedIds' | 'folder' | 'read' | 'starred'>

/** `user/1000/state/…` is ours, too: some clients write the number in. */
export function sameUser(stream: string): string {
  return stream.replace(/^user\/[^/]+\//, 'user/-/')
}

/** Undefined if there can be nothing in it. */
export async function streamScope(stream: string, { catalogue }: ShelfParts): Promise<Scope | undefined> {
  const name = sameUser(stream)
  if (name.startsWith('feed/')) {
    const feedId = await feedIn(name, catalogue)
    return feedId === undefined ? undefined : { feedIds: [feedId] }
  }
  if (name.startsWith(LABEL)) return { folder: name.slice(LABEL.length) }
  switch (name) {
    case `${STATE}reading-list`:
      return {}
    case `${STATE}starred`:
      return { starred: true }
    case `${STATE}read`:
      return { read: true }
    case `${STATE}kept-unread`:
    case `${STATE}fresh`:
    case `${STATE}unread`:
      return { read: false }
    default:
      return undefined
  }
}

export async function feedIn(stream: string, catalogue: ShelfParts['catalogue']): Promise<FeedId | undefined> {
  const given = stream.slice('feed/'.length)
  if (/^\d{1,15}$/.test(given)) return Number(given) as FeedId
  return catalogue.feedAt(given)
}

interface StreamPage {
  ids: EntryId[]
  /** In the order of `ids`. */
  seenAt: number[]
  continuation?: string
}

export async function streamPage(
  parts: ShelfParts,
  personId: PersonId,
  stream: string,
  form: Form,
  { usual, most }: { usual: number; most: number },
): Promise<StreamPage> {
  const scope = await streamScope(stream, parts)
  const narrowed = scope && narrowedBy(scope, form)
  if (!narrowed) return { ids: [], seenAt: [] }
  const limit = wholeField(form, 'n', usual, most)
  const since = wholeField(form, 'ot', 0, Number.MAX_SAFE_INTEGER)
  const until = wholeField(form, 'nt', 0, Number.MAX_SAFE_INTEGER)
  const after = form.get('c')
  if (after !== undefined && !/^\d{1,16}$/.test(after))
    throw new Problem(400, 'the continuation is not one of ours', 'begin again without it')
  const query: ArrivalQuery = {
    ...narrowed,
    order: form.get('r') === 'o' ? 'oldest' : 'newest',
    limit: Math.max(1, limit),
    ...(since > 0 && { seenSince: since * SECOND }),
    ...(until > 0 && { seenUntil: until * SECOND }),
    ...(after !== undefined && { after: Number(after) as EntryId }),
  }
  const { arrivals, goesOnAfter } = await arrivalsOf(parts, personId, query)
  return {
    ids: arrivals.map(({ id }) => id),
    seenAt: arrivals.map(({ seenAt }) => seenAt),
    ...(goesOnAfter !== undefined && { continuation: String(goesOnAfter) }),
  }
}

/** By what is to be left out (`xt`) and what is to be kept (`it`); undefined where both say nothing fits. */
function narrowedBy(scope: Scope, form: Form): Scope | undefined {
  const without = form.all('xt').map(sameUser)
  const only = form.all('it').map(sameUser)
  const wanted = [
    ...(scope.read === undefined ? [] : [scope.read]),
    ...(without.includes(`${STATE}read`) ? [false] : []),
    ...(without.includes(`${STATE}kept-unread`) || without.includes(`${STATE}unread`) ? [true] : []),
    ...(only.includes(`${STATE}read`) ? [true] : []),
    ...(only.includes(`${STATE}kept-unread`) || only.includes(`${STATE}unread`) ? [false] : []),
  ]
  const { read: _, ...rest } = scope
  if (wanted.includes(true) && wanted.includes(false)) return undefined
  const isStarred = only.includes(`${STATE}starred`)
  return { ...rest, ...(wanted.length > 0 && { read: wanted[0]! }), ...(isStarred && { starred: true }) }
}
