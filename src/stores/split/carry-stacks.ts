/**
 * What only a library remembers, carried into another one: cards of entries that the store has forgotten, with what they say, their
 * fingerprints and copies, and the log of polls. It goes from the newest card to the oldest, a bite at a time in memory. All of it may be written twice, so
 * whoever was interrupted begins again.
 */
import { type Entry, type FeedId, type Instant, placeInTime } from '../../model/index.ts'
import type { FiledCopy, Library, LibraryText } from '../../ports/index.ts'
import { nameIn } from './names.ts'
import { signByDay } from './sign-by-day.ts'

const TOGETHER = 200
/** Later than any date that an entry has. */
export const LAST = Date.UTC(2200, 0) as Instant

export interface CarriedStacks {
  cards: number
  polls: number
  /** False if it was interrupted. */
  isDone: boolean
}

export async function carryStacks(
  from: Library,
  to: Library,
  { feedIds, now, signal }: { feedIds: AsyncIterable<FeedId>; now: () => Instant; signal: AbortSignal },
): Promise<CarriedStacks> {
  const carried: CarriedStacks = { cards: 0, polls: 0, isDone: false }
  const withLog = new Set<FeedId>()
  for (let after: ReturnType<typeof placeInTime> | undefined; ; ) {
    if (signal.aborted) return carried
    const cards = await from.list({ until: LAST, limit: TOGETHER, ...(after && { after }) })
    if (cards.length === 0) break
    for (const { feedId } of cards) withLog.add(feedId)
    await carryCards(from, to, cards, now())
    carried.cards += cards.length
    after = placeInTime(cards.at(-1)!)
  }
  for await (const feedId of feedIds) withLog.add(feedId)
  for (const feedId of withLog) {
    for (let until: Instant | undefined = LAST; until !== undefined; ) {
      if (signal.aborted) return carried
      const polls = await from.filedPolls({ feedId, until, limit: TOGETHER })
      await to.filePolls(polls)
      carried.polls += polls.length
      until = polls.length < TOGETHER ? undefined : ((polls.at(-1)!.at - 1) as Instant)
    }
  }
  return { ...carried, isDone: true }
}

async function carryCards(from: Library, to: Library, cards: readonly Entry[], now: Instant): Promise<void> {
  await to.keep(await textsOf(from, cards))
  await to.file(cards, now)
  const ids = cards.map(({ id }) => id)
  const [there, here] = [await from.signaturesOf(ids), await to.signaturesOf(ids)]
  // Those that the store knows came with it, under the day on which they were placed; of the others nobody knows more than when they were seen.
  const missing = there.flatMap((signature, i) =>
    signature && !here[i] ? [{ ...signature, placedAt: cards[i]!.seenAt }] : [],
  )
  await signByDay(to, missing)
  const copies: FiledCopy[] = []
  for (const primaryId of ids) for (const copy of await from.copiesOf(primaryId)) copies.push({ primaryId, ...copy })
  await to.fileCopies(copies, now)
}

async function textsOf(from: Library, cards: readonly Entry[]): Promise<LibraryText[]> {
  const wanted = cards.flatMap(({ feedId, key, seenAt, content, summary }) =>
    [nameIn(content), nameIn(summary)].flatMap((name) =>
      name ? [{ name, owner: { kind: 'entry', feedId, key } as const, at: seenAt }] : [],
    ),
  )
  const bytes = await from.textsOf(wanted.map(({ name }) => name))
  return wanted.flatMap((text, i) => (bytes[i] ? [{ ...text, bytes: bytes[i] }] : []))
}
