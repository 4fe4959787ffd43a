/**
 * Migrates the records that only a content store holds: records of entries that the store has deleted, with their content, signatures
 * and copies, and the poll log. Goes from the newest record to the oldest, one batch in memory at a time. Writing a record twice changes
 * nothing, so an interrupted migration starts again from the beginning.
 */
import { type Entry, type FeedId, type Instant, sortPosition } from '../../model/index.ts'
import type { ContentStore, ContentText, CopyRecord } from '../../ports/index.ts'
import { contentAddressIn } from './content-addresses.ts'
import { fileSignaturesByDay } from './file-signatures.ts'

const BATCH_SIZE = 200
/** Later than the date of any entry. */
export const FAR_FUTURE = Date.UTC(2200, 0) as Instant

export interface MigratedContentRecords {
  entries: number
  polls: number
  /** False if the migration was interrupted. */
  isDone: boolean
}

export async function migrateContentRecords(
  source: ContentStore,
  target: ContentStore,
  { feedIds, now, signal }: { feedIds: AsyncIterable<FeedId>; now: () => Instant; signal: AbortSignal },
): Promise<MigratedContentRecords> {
  const migrated: MigratedContentRecords = { entries: 0, polls: 0, isDone: false }
  const feedsWithPolls = new Set<FeedId>()
  for (let after: ReturnType<typeof sortPosition> | undefined; ; ) {
    if (signal.aborted) return migrated
    const records = await source.listEntries({ until: FAR_FUTURE, limit: BATCH_SIZE, ...(after && { after }) })
    if (records.length === 0) break
    for (const { feedId } of records) feedsWithPolls.add(feedId)
    await migrateEntryRecords(source, target, records, now())
    migrated.entries += records.length
    after = sortPosition(records.at(-1)!)
  }
  for await (const feedId of feedIds) feedsWithPolls.add(feedId)
  for (const feedId of feedsWithPolls) {
    for (let until: Instant | undefined = FAR_FUTURE; until !== undefined; ) {
      if (signal.aborted) return migrated
      const polls = await source.listPolls({ feedId, until, limit: BATCH_SIZE })
      await target.putPolls(polls)
      migrated.polls += polls.length
      until = polls.length < BATCH_SIZE ? undefined : ((polls.at(-1)!.at - 1) as Instant)
    }
  }
  return { ...migrated, isDone: true }
}

async function migrateEntryRecords(
  source: ContentStore,
  target: ContentStore,
  records: readonly Entry[],
  now: Instant,
): Promise<void> {
  await target.putTexts(await contentOfEntries(source, records))
  await target.putEntries(records, now)
  const ids = records.map(({ id }) => id)
  const [sourceSignatures, targetSignatures] = [await source.getSignatures(ids), await target.getSignatures(ids)]
  // Signatures of entries that the store still has were migrated with it, under the day on which the entry was grouped. For the others
  // only the date of arrival is known.
  const missing = sourceSignatures.flatMap((signature, i) =>
    signature && !targetSignatures[i] ? [{ ...signature, groupedAt: records[i]!.seenAt }] : [],
  )
  await fileSignaturesByDay(target, missing)
  const copies: CopyRecord[] = []
  for (const primaryId of ids)
    for (const copy of await source.listCopies(primaryId)) copies.push({ primaryId, ...copy })
  await target.putCopies(copies, now)
}

async function contentOfEntries(source: ContentStore, records: readonly Entry[]): Promise<ContentText[]> {
  const references = records.flatMap(({ feedId, key, seenAt, content, summary }) =>
    [contentAddressIn(content), contentAddressIn(summary)].flatMap((address) =>
      address ? [{ address, owner: { kind: 'entry', feedId, key } as const, at: seenAt }] : [],
    ),
  )
  const bytes = await source.getTexts(references.map(({ address }) => address))
  return references.flatMap((text, i) => (bytes[i] ? [{ ...text, bytes: bytes[i] }] : []))
}
