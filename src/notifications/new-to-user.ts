/**
 * Which entries a user may be notified of: not those that they have read or muted, nor those that did not just arrive, because they were
 * imported, came with the first poll of their feed, or are old entries that the feed shows again.
 */
import { DAY, type Entry, type FeedId, type Instant, type Millis, sortAt, type UserId } from '../model/index.ts'
import type { Catalogue, ReaderState } from '../ports/index.ts'

/** An entry that is older when it arrives is no news. */
const MAX_AGE_MS: Millis = 7 * DAY
/** Polls before an entry that are checked for a successful one. */
const MAX_POLLS = 20

interface Parts {
  catalogue: Pick<Catalogue, 'polls'>
  readerState: Pick<ReaderState, 'entryStates'>
}

export async function isNewToUser(
  entries: readonly Entry[],
  userId: UserId,
  { catalogue, readerState }: Parts,
): Promise<(entry: Entry) => boolean> {
  const states = await readerState.entryStates(
    userId,
    entries.map(({ id }) => id),
  )
  const firstPolls = new Map<string, Promise<boolean>>()
  const isFirstPoll = ({ feedId, seenAt }: Entry) => {
    const key = `${feedId} ${seenAt}`
    const known = firstPolls.get(key) ?? isOfFirstPoll(feedId, seenAt)
    firstPolls.set(key, known)
    return known
  }
  async function isOfFirstPoll(feedId: FeedId, seenAt: Instant): Promise<boolean> {
    const earlier = await catalogue.polls({ feedId, after: { at: seenAt - 1, skip: 0 }, limit: MAX_POLLS })
    return !earlier.some(({ result }) => result.kind !== 'failed')
  }
  const accepted = new Set<Entry>()
  for (const [i, entry] of entries.entries()) {
    const state = states[i]
    const isOld = entry.seenAt - sortAt(entry, entry.seenAt) > MAX_AGE_MS
    if (entry.imported || isOld || state?.muted || state?.read || (await isFirstPoll(entry))) continue
    accepted.add(entry)
  }
  return (entry) => accepted.has(entry)
}
