/**
 * Streams of the Google Reader API: `feed/3` (or a feed's address after `feed/`), `user/-/label/News` for a folder, and states: all entries
 * (the reading list), read and starred ones. A page is in the order of arrival; its continuation is the id of its last entry.
 */
import { type EntryId, type FeedId, SECOND, type UserId } from '../../../model/index.ts'
import type { ArrivalQuery, Catalogue } from '../../../ports/index.ts'
import { Problem } from '../../problem.ts'
import { type Form, wholeField } from '../form.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'

export const STATE = 'user/-/state/com.google/'
export const LABEL = 'user/-/label/'

type FeedLookup = Pick<Catalogue, 'feedAt'>

/** What a stream holds, as part of a query. */
type Scope = Pick<ArrivalQuery, 'feedIds' | 'folder' | 'read' | 'starred' | 'label'>

/** Some clients write the user's number, as in `user/1000/state/…`. */
export function normalizeUser(stream: string): string {
  return stream.replace(/^user\/[^/]+\//, 'user/-/')
}

/** The name of the folder; undefined if the stream is not a label. */
export function folderOfLabel(stream: string): string | undefined {
  const name = normalizeUser(stream)
  return name.startsWith(LABEL) ? name.slice(LABEL.length) : undefined
}

/** Undefined if nothing can be in it. */
export async function streamScope(stream: string, catalogue: FeedLookup): Promise<Scope | undefined> {
  const name = normalizeUser(stream)
  if (name.startsWith('feed/')) {
    const feedId = await parseFeedStream(name, catalogue)
    return feedId === undefined ? undefined : { feedIds: [feedId] }
  }
  const folder = folderOfLabel(name)
  if (folder !== undefined) return { folder }
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

export async function parseFeedStream(stream: string, catalogue: FeedLookup): Promise<FeedId | undefined> {
  const idOrUrl = stream.slice('feed/'.length)
  if (/^\d{1,15}$/.test(idOrUrl)) return Number(idOrUrl) as FeedId
  return catalogue.feedAt(idOrUrl)
}

interface StreamPage {
  ids: EntryId[]
  /** In the order of `ids`. */
  seenAt: number[]
  continuation?: string
}

export async function streamPage(
  { adapter, catalogue }: { adapter: ReaderAdapter; catalogue: FeedLookup },
  userId: UserId,
  stream: string,
  form: Form,
  { usual, most }: { usual: number; most: number },
): Promise<StreamPage> {
  const streamed = await streamScope(stream, catalogue)
  const isLabel = streamed?.folder !== undefined && !(await adapter.hasFolder(userId, streamed.folder))
  const scope = isLabel ? { label: streamed.folder! } : streamed
  const narrowed = scope && narrowedBy(scope, form)
  if (!narrowed) return { ids: [], seenAt: [] }
  const limit = wholeField(form, 'n', usual, most)
  const since = wholeField(form, 'ot', 0, Number.MAX_SAFE_INTEGER)
  const until = wholeField(form, 'nt', 0, Number.MAX_SAFE_INTEGER)
  const after = form.get('c')
  if (after !== undefined && !/^\d{1,16}$/.test(after)) throw new Problem(400, 'invalid continuation', 'leave it out')
  const query: ArrivalQuery = {
    ...narrowed,
    order: form.get('r') === 'o' ? 'oldest' : 'newest',
    limit: Math.max(1, limit),
    ...(since > 0 && { seenSince: since * SECOND }),
    ...(until > 0 && { seenUntil: until * SECOND }),
    ...(after !== undefined && { after: Number(after) as EntryId }),
  }
  const { arrivals, nextAfter } = await adapter.listArrivals(userId, query)
  return {
    ids: arrivals.map(({ id }) => id),
    seenAt: arrivals.map(({ seenAt }) => seenAt),
    ...(nextAfter !== undefined && { continuation: String(nextAfter) }),
  }
}

/** Narrowed by excluded (`xt`) and included (`it`) states; undefined if they contradict each other. */
function narrowedBy(scope: Scope, form: Form): Scope | undefined {
  const without = form.all('xt').map(normalizeUser)
  const only = form.all('it').map(normalizeUser)
  const readStates = [
    ...(scope.read === undefined ? [] : [scope.read]),
    ...(without.includes(`${STATE}read`) ? [false] : []),
    ...(without.includes(`${STATE}kept-unread`) || without.includes(`${STATE}unread`) ? [true] : []),
    ...(only.includes(`${STATE}read`) ? [true] : []),
    ...(only.includes(`${STATE}kept-unread`) || only.includes(`${STATE}unread`) ? [false] : []),
  ]
  const { read: _, ...rest } = scope
  if (readStates.includes(true) && readStates.includes(false)) return undefined
  const isStarred = only.includes(`${STATE}starred`)
  return { ...rest, ...(readStates.length > 0 && { read: readStates[0]! }), ...(isStarred && { starred: true }) }
}
