/**
 * Garbage collection of a content store: deletes content that a crash left behind, whose record was never written. Goes hour by hour
 * through content that is older than a day, asks the store for its owner, and deletes content without one. An entry may have got another
 * key since: before a text is deleted, the entries and entry records of its feed are searched for its address. An interrupted run resumes
 * with the hour that it did not finish. It is safe to run during a crawl.
 */
import { DAY, type Entry, type FeedId, HOUR, type Instant, sortPosition } from '../../model/index.ts'
import type { ContentAddress, ContentStore, ContentTextInfo, Store } from '../../ports/index.ts'
import { contentAddressIn } from './content-addresses.ts'

type OwnerLookup = Pick<Store, 'knownEntries' | 'articlesById' | 'sourcesById' | 'everyEntry'>

export interface GarbageCollection {
  /** Where the next run resumes. */
  nextHour: Instant
  checked: number
  dropped: number
  /** Everything that is old enough has been checked. */
  isDone: boolean
}

/** Newer content may belong to a record that is still being written. */
const GRACE_MS = DAY
const BATCH_SIZE = 500

/** Checks at most `hours` hours, beginning with the hour of `from`. `store` is the store without its content store. */
export async function collectGarbage(
  mainStore: OwnerLookup,
  contentStore: ContentStore,
  { from, now, hours }: { from: Instant; now: Instant; hours: number },
): Promise<GarbageCollection> {
  let hour = (from - (from % HOUR)) as Instant
  let [checked, dropped] = [0, 0]
  const isOld = () => hour + HOUR <= now - GRACE_MS
  for (let i = 0; i < hours && isOld(); i++) {
    let batch: ContentTextInfo[] = []
    const checkBatch = async () => {
      const orphans = await orphansAmong(mainStore, contentStore, batch, now)
      await contentStore.dropTexts(orphans)
      checked += batch.length
      dropped += orphans.length
      batch = []
    }
    for await (const text of contentStore.textsOfHour(hour)) if (batch.push(text) >= BATCH_SIZE) await checkBatch()
    if (batch.length > 0) await checkBatch()
    hour = (hour + HOUR) as Instant
  }
  return { nextHour: hour, checked, dropped, isDone: !isOld() }
}

async function orphansAmong(
  mainStore: OwnerLookup,
  contentStore: ContentStore,
  texts: readonly ContentTextInfo[],
  now: Instant,
): Promise<ContentTextInfo[]> {
  const orphans: ContentTextInfo[] = []
  const byFeed = new Map<FeedId, { key: string; text: ContentTextInfo }[]>()
  const add = (feedId: FeedId, key: string, text: ContentTextInfo) =>
    byFeed.set(feedId, [...(byFeed.get(feedId) ?? []), { key, text }])
  for (const text of texts) {
    const { owner } = text
    if (owner.kind === 'entry') add(owner.feedId, owner.key, text)
    else if (owner.kind === 'article') {
      const [article] = await mainStore.articlesById([owner.articleId])
      if (!article) orphans.push(text)
    } else {
      // A removed source does not say which feed it led to, and that feed may still refer to the text.
      const [source] = await mainStore.sourcesById([owner.sourceId])
      if (source?.feedId !== undefined) add(source.feedId, owner.key, text)
    }
  }
  for (const [feedId, candidates] of byFeed)
    orphans.push(...(await unreferencedTexts(mainStore, contentStore, feedId, candidates, now)))
  return orphans
}

/** The texts that no entry of the feed refers to. */
async function unreferencedTexts(
  mainStore: OwnerLookup,
  contentStore: ContentStore,
  feedId: FeedId,
  candidates: readonly { key: string; text: ContentTextInfo }[],
  now: Instant,
): Promise<ContentTextInfo[]> {
  const [knownEntries] = await mainStore.knownEntries([{ feedId, keys: candidates.map(({ key }) => key) }])
  const unreferenced = new Map<ContentAddress, ContentTextInfo>()
  // Entries that the store has deleted are in the content records.
  for (const { key, text } of candidates) if (!knownEntries!.has(key)) unreferenced.set(text.address, text)
  const keepReferenced = ({ content, summary }: Entry) => {
    for (const address of [contentAddressIn(content), contentAddressIn(summary)])
      if (address) unreferenced.delete(address)
  }
  if (unreferenced.size > 0) for await (const entry of mainStore.everyEntry({ feedId })) keepReferenced(entry)
  for (let after: ReturnType<typeof sortPosition> | undefined; unreferenced.size > 0; ) {
    const records = await contentStore.listEntries({ feedId, until: now, limit: BATCH_SIZE, ...(after && { after }) })
    records.forEach(keepReferenced)
    after = records.length > 0 ? sortPosition(records.at(-1)!) : undefined
    if (!after) break
  }
  return [...unreferenced.values()]
}
