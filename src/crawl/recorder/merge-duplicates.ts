/**
 * A feed that gives its entries new keys on each fetch is matched by title and text once that is noticed (feeds/reconcile/match-by-text). What it was
 * stored under before is merged here: of entries that say the same the oldest stays, which is the one that later windows are matched with. What somebody read
 * or starred of the others is read and starred there; search, copies and stories follow, since the others are forgotten as old entries are.
 *
 * In chunks, so that no transaction is long; repeating it, also after an interruption, finds what is left.
 */
import { sayingOf } from '../../feeds/index.ts'
import type { EntryId, Feed, FeedId, PersonId } from '../../model/index.ts'
import type { Clock, Roles } from '../../ports/index.ts'
import type { RetryTransient } from '../retried-steps.ts'

export interface DuplicateMergerParts extends Pick<Roles, 'catalogue' | 'retention' | 'people' | 'readership'> {
  clock: Clock
  retryTransient: RetryTransient
}

/** Once for each feed and process: what comes later is matched. */
export function createDuplicateMerger(parts: DuplicateMergerParts): { matchedByText(feed: Feed): Promise<void> } {
  const done = new Set<FeedId>()
  return {
    async matchedByText({ id }) {
      if (done.has(id)) return
      await parts.retryTransient('merge duplicates', () => mergeDuplicates(parts, id))
      done.add(id)
    },
  }
}

const CHUNK = 100

interface Duplicate {
  id: EntryId
  kept: EntryId
}

async function mergeDuplicates(parts: DuplicateMergerParts, feedId: FeedId): Promise<void> {
  const duplicates = await duplicatesIn(parts, feedId)
  if (duplicates.length === 0) return
  const { people, retention } = parts
  const everybody = new Set([await people.firstPerson(), ...(await people.people()).map(({ id }) => id)])
  for (let i = 0; i < duplicates.length; i += CHUNK) {
    const some = duplicates.slice(i, i + CHUNK)
    for (const personId of everybody) await moveMarks(parts, personId, some)
    await retention.forgetThese(some.map(({ id }) => id))
  }
}

async function duplicatesIn({ catalogue }: DuplicateMergerParts, feedId: FeedId): Promise<Duplicate[]> {
  const oldest = new Map<string, EntryId>()
  const duplicates: Duplicate[] = []
  for await (const entry of catalogue.everyEntry({ feedId })) {
    const saying = sayingOf(entry)
    if (saying === undefined) continue
    const kept = oldest.get(saying)
    if (kept === undefined) oldest.set(saying, entry.id)
    else duplicates.push({ id: entry.id, kept })
  }
  return duplicates
}

/** What is read or starred in one place is so in the one that stays. */
async function moveMarks(
  { readership, clock }: DuplicateMergerParts,
  personId: PersonId,
  duplicates: Duplicate[],
): Promise<void> {
  const marks = await readership.marksOf(
    personId,
    duplicates.map(({ id }) => id),
  )
  const among = (isMeant: (mark: (typeof marks)[number]) => boolean) => duplicates.filter((_, i) => isMeant(marks[i]!))
  const read = among((mark) => mark.read === true)
  const starred = among((mark) => mark.starred)
  const now = clock.now()
  if (read.length > 0) await readership.mark(personId, keptOf(read), 'read', now)
  if (starred.length === 0) return
  await readership.star(personId, keptOf(starred), true, now)
  const others = starred.map(({ id }) => id)
  await readership.star(personId, others, false, now) // starred entries are not forgotten
}

function keptOf(duplicates: Duplicate[]): EntryId[] {
  return [...new Set(duplicates.map(({ kept }) => kept))]
}
