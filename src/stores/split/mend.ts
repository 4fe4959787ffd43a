/**
 * The walk that mends what a crash left between ledger and library: texts that were kept, and whose record was never written. It
 * goes hour by hour through what was kept a day ago or longer, asks the ledger whose it is, and takes out what is nobody's. An
 * entry may have got another key since: before a text is taken out, the entries of its feed, and its cards, are looked through for its name.
 * Whoever is interrupted goes on with the hour that was not finished; beside a running crawl it does no harm.
 */
import { DAY, type Entry, type FeedId, HOUR, type Instant, placeInTime } from '../../model/index.ts'
import type { Library, ShelvedText, Store, TextName } from '../../ports/index.ts'
import { nameIn } from './names.ts'

type Asked = Pick<Store, 'known' | 'articlesById' | 'sourcesById' | 'everyEntry'>

export interface Mended {
  /** Where the next walk goes on. */
  nextHour: Instant
  looked: number
  dropped: number
  /** All that is old enough was looked through. */
  isDone: boolean
}

/** What is younger may belong to a record that is being written. */
const GRACE_MS = DAY
const TOGETHER = 500

/** At most `hours` of them, beginning with the one in which `from` lies. The ledger is asked itself, not with the library beside it. */
export async function mendLibrary(
  ledger: Asked,
  library: Library,
  { from, now, hours }: { from: Instant; now: Instant; hours: number },
): Promise<Mended> {
  let hour = (from - (from % HOUR)) as Instant
  let [looked, dropped] = [0, 0]
  const isOld = () => hour + HOUR <= now - GRACE_MS
  for (let i = 0; i < hours && isOld(); i++) {
    let some: ShelvedText[] = []
    const look = async () => {
      const orphans = await orphansAmong(ledger, library, some, now)
      await library.drop(orphans)
      looked += some.length
      dropped += orphans.length
      some = []
    }
    for await (const text of library.keptIn(hour)) if (some.push(text) >= TOGETHER) await look()
    if (some.length > 0) await look()
    hour = (hour + HOUR) as Instant
  }
  return { nextHour: hour, looked, dropped, isDone: !isOld() }
}

async function orphansAmong(
  ledger: Asked,
  library: Library,
  texts: readonly ShelvedText[],
  now: Instant,
): Promise<ShelvedText[]> {
  const orphans: ShelvedText[] = []
  const byFeed = new Map<FeedId, { key: string; text: ShelvedText }[]>()
  const add = (feedId: FeedId, key: string, text: ShelvedText) =>
    byFeed.set(feedId, [...(byFeed.get(feedId) ?? []), { key, text }])
  for (const text of texts) {
    const { owner } = text
    if (owner.kind === 'entry') add(owner.feedId, owner.key, text)
    else if (owner.kind === 'article') {
      const [article] = await ledger.articlesById([owner.articleId])
      if (!article) orphans.push(text)
    } else {
      // Of a source that is gone nobody knows what feed it led to; that may still name the text.
      const [source] = await ledger.sourcesById([owner.sourceId])
      if (source?.feedId !== undefined) add(source.feedId, owner.key, text)
    }
  }
  for (const [feedId, suspects] of byFeed) orphans.push(...(await unnamed(ledger, library, feedId, suspects, now)))
  return orphans
}

/** Those that no entry of the feed names. */
async function unnamed(
  ledger: Asked,
  library: Library,
  feedId: FeedId,
  suspects: readonly { key: string; text: ShelvedText }[],
  now: Instant,
): Promise<ShelvedText[]> {
  const [known] = await ledger.known([{ feedId, keys: suspects.map(({ key }) => key) }])
  const left = new Map<TextName, ShelvedText>()
  // What the ledger has forgotten is in the stacks.
  for (const { key, text } of suspects) if (!known!.has(key)) left.set(text.name, text)
  const named = ({ content, summary }: Entry) => {
    for (const name of [nameIn(content), nameIn(summary)]) if (name) left.delete(name)
  }
  if (left.size > 0) for await (const entry of ledger.everyEntry({ feedId })) named(entry)
  for (let after: ReturnType<typeof placeInTime> | undefined; left.size > 0; ) {
    const cards = await library.list({ feedId, until: now, limit: TOGETHER, ...(after && { after }) })
    cards.forEach(named)
    after = cards.length > 0 ? placeInTime(cards.at(-1)!) : undefined
    if (!after) break
  }
  return [...left.values()]
}
