/**
 * One feed under several addresses (http and https, with and without www, an old address that redirects): where requests of two feeds end at
 * one address and both hold nearly the same entries, they become one.
 *
 *     poll of a feed is redirected --> another feed is there, or is redirected there, too
 *                                  --> their entries agree --> followers, marks, stars and feeds out move --> the other is removed
 *
 * The feed that was added first stays, since it has the longer history; one that freshet.toml lists stays in any case. Private feeds are never
 * merged: what one follower may read is not for those of the other. All steps can be repeated: what has moved is found where it belongs.
 */
import {
  DAY,
  type Entry,
  type EntryDraft,
  type EntryId,
  type Feed,
  type FeedId,
  type Instant,
  isPrivateFeed,
  type PersonId,
  placeInTime,
  type WebAddress,
  withoutFragment,
} from '../../model/index.ts'
import type { Clock, FeedChange, Roles } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { RetryTransient } from '../retried-steps.ts'

export interface FeedMergerParts
  extends Pick<Roles, 'catalogue' | 'ledger' | 'subscriptions' | 'people' | 'readership' | 'handouts'> {
  clock: Clock
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
}

export interface FeedMerger {
  /** Requests of this feed end there now. */
  endedAt(feed: Feed, finalUrl: WebAddress): Promise<void>
}

/** Of each feed, so many of the newest entries are compared. */
const COMPARED = 200
const LEAST_IN_COMMON = 3
const AGREEMENT = 0.9
/** Feeds with more entries stay as they are. */
const MOST_ENTRIES = 10_000
const PAGE = 500
/** A pair that does not agree is compared again after so long. */
const COMPARED_AGAIN_MS = DAY
const MOST_REMEMBERED = 10_000

export function createFeedMerger(parts: FeedMergerParts): FeedMerger {
  const { catalogue, retryTransient, clock, emit } = parts
  const endings = new Map<string, FeedId>()
  const compared = new Map<string, Instant>()

  async function otherAt(id: FeedId, url: string): Promise<FeedId | undefined> {
    const there = await retryTransient('read feeds', () => catalogue.feedAt(url))
    if (there !== undefined) return there === id ? undefined : there
    const before = endings.get(url)
    remember(endings, url, id)
    return before === id ? undefined : before
  }

  return {
    async endedAt({ id, url }, finalUrl) {
      const end = withoutFragment(finalUrl)
      if (end === url) return
      const other = await otherAt(id, end)
      if (other === undefined) return
      const pair = [id, other].sort((a, b) => a - b).join(' ')
      const now = clock.now()
      if (now - (compared.get(pair) ?? Number.NEGATIVE_INFINITY) < COMPARED_AGAIN_MS) return
      remember(compared, pair, now)
      const [one, two] = (await retryTransient('read feeds', () => catalogue.feedsById([id, other]))).map(
        (held) => held?.feed,
      )
      const chosen = one && two && chooseKept(one, two)
      if (!chosen) return
      const { kept, dropped } = chosen
      if (!(await retryTransient('read feeds', () => doAgree(parts, kept.id, dropped.id)))) return
      await retryTransient('merge feeds', () => mergeFeeds(parts, kept, dropped))
      const about = { at: now, feedId: kept.id, title: kept.title }
      emit({ kind: 'merged', ...about, url: kept.url, mergedId: dropped.id, mergedUrl: dropped.url })
    },
  }
}

/** Undefined if they have to stay apart. */
function chooseKept(one: Feed, two: Feed): { kept: Feed; dropped: Feed } | undefined {
  if ([one, two].some((feed) => isPrivateFeed(feed) || feed.state !== 'active') || (one.listed && two.listed)) return
  const isFirst = one.listed === two.listed ? one.id < two.id : one.listed === true
  return isFirst ? { kept: one, dropped: two } : { kept: two, dropped: one }
}

/** Whether nearly all entries of the time that both know are the same. */
async function doAgree({ catalogue }: FeedMergerParts, one: FeedId, two: FeedId): Promise<boolean> {
  const counts = await catalogue.entryCounts([one, two])
  if (counts.some((count) => count > MOST_ENTRIES)) return false
  const samples = [
    await catalogue.entries({ feedId: one, limit: COMPARED }),
    await catalogue.entries({ feedId: two, limit: COMPARED }),
  ]
  const since = Math.max(...samples.map((entries) => placeInTime(entries.at(-1) ?? NOTHING).at))
  const [ours, theirs] = samples.map((entries) => entries.filter((entry) => placeInTime(entry).at >= since))
  return [
    [ours!, theirs!],
    [theirs!, ours!],
  ].every(([some, others]) => {
    const find = finderOf(others!)
    const common = some!.filter((entry) => find(entry) !== undefined).length
    return common >= LEAST_IN_COMMON && common >= AGREEMENT * some!.length
  })
}

const NOTHING = { seenAt: Number.POSITIVE_INFINITY, id: 0 } as Entry

/** Moves all that people have of one feed to the other, and removes it. */
async function mergeFeeds(parts: FeedMergerParts, kept: Feed, dropped: Feed): Promise<void> {
  const { catalogue, subscriptions, people, readership, handouts } = parts
  const theirs = await everyTwin(parts, dropped.id)
  await addMissing(parts, kept.id, theirs)
  const ours = await everyTwin(parts, kept.id)
  const find = finderOf(ours)
  const pairs = theirs.flatMap((entry) => {
    const twin = find(entry)
    return twin === undefined ? [] : [{ from: entry.id, to: twin }]
  })
  const moving: Moving = { kept: kept.id, dropped: dropped.id, pairs, ids: ours.map(({ id }) => id) }
  for (const personId of new Set([await people.firstPerson(), ...(await people.people()).map(({ id }) => id)])) {
    await moveReader(parts, personId, moving)
    for (const { id, of } of await handouts.feedsOut(personId))
      if (of.kind === 'feed' && of.feedId === dropped.id)
        await handouts.changeFeedOut(personId, id, { of: { kind: 'feed', feedId: kept.id } })
  }
  const [held] = await catalogue.feedsById([kept.id])
  if (!held || ((await readership.readersOf([{ feedId: dropped.id }]))[0] ?? 0) > 0) return // somebody came meanwhile: another time
  await subscriptions.removeFeed(dropped.id)
  const change = whatPeopleSaid(held.feed, dropped)
  if (Object.keys(change).length > 0) await subscriptions.changeFeed(kept.id, change)
}

/** What the feed that stays never had. */
async function addMissing({ catalogue, ledger, clock }: FeedMergerParts, kept: FeedId, theirs: Twin[]): Promise<void> {
  const find = finderOf(await everyTwin({ catalogue }, kept))
  const missing = theirs.filter((entry) => find(entry) === undefined).map(({ id }) => id)
  for (let i = 0; i < missing.length; i += PAGE) {
    const entries = await catalogue.entriesById(missing.slice(i, i + PAGE))
    const fresh = entries.flatMap((entry) => (entry ? [draftOf(entry)] : []))
    await ledger.recordNews([{ feedId: kept, at: clock.now(), fresh, changed: [] }])
  }
}

interface Moving {
  kept: FeedId
  dropped: FeedId
  /** Entries that are the same. */
  pairs: { from: EntryId; to: EntryId }[]
  /** All entries of the feed that stays. */
  ids: EntryId[]
}

/**
 * What is read in one of them is read. Whoever did not follow the feed that stays has unread there what they had unread before: first too much is
 * unread, so that an interruption loses nothing.
 */
async function moveReader({ readership, clock }: FeedMergerParts, personId: PersonId, moving: Moving): Promise<void> {
  const { kept, dropped, pairs, ids } = moving
  const [reading, theirs] = await readership.readingsOf(personId, [dropped, kept])
  const now = clock.now()
  const read = new Set<EntryId>()
  const unread = new Set<EntryId>()
  const starred: EntryId[] = []
  for (let i = 0; i < pairs.length; i += PAGE) {
    const some = pairs.slice(i, i + PAGE)
    const marks = await readership.marksOf(
      personId,
      some.map(({ from }) => from),
    )
    for (const [n, { to }] of some.entries()) {
      if (marks[n]!.read === true) read.add(to)
      if (marks[n]!.read === false) unread.add(to)
      if (marks[n]!.starred) starred.push(to)
    }
  }
  for (const some of inPages(starred)) await readership.star(personId, some, true, now)
  if (!reading) return
  const { title, folder } = reading
  const own = { ...(title && { title }), ...(folder && { folder }) }
  const toRead = theirs ? ids.filter((id) => read.has(id)) : readAmongNewest(ids, unread)
  if (theirs) {
    const lacking = { ...(!theirs.title && title && { title }), ...(!theirs.folder && folder && { folder }) }
    await readership.changeReading(personId, kept, lacking)
  } else await readership.follow(personId, [{ feedId: kept, ...own }], now, unread.size + toRead.length)
  for (const some of inPages(toRead)) await readership.mark(personId, some, 'read', now)
  await readership.unfollow(personId, [{ feedId: dropped }])
}

/** Those newer than the oldest that is unread, but for the unread ones. */
function readAmongNewest(ids: EntryId[], unread: ReadonlySet<EntryId>): EntryId[] {
  const oldest = Math.min(...unread)
  return ids.filter((id) => id > oldest && !unread.has(id))
}

function inPages<Thing>(things: Thing[]): Thing[][] {
  return Array.from({ length: Math.ceil(things.length / PAGE) }, (_, i) => things.slice(i * PAGE, (i + 1) * PAGE))
}

/** Of the feed as such, where nothing else was said of the one that stays. */
function whatPeopleSaid(kept: Feed, dropped: Feed): FeedChange {
  const { folder, name, ownCategory, articles, wants, titlePrefix } = dropped
  const isNamed = kept.title !== '' && kept.title !== kept.publisherTitle
  const title = dropped.title !== dropped.publisherTitle ? dropped.title : ''
  const said: FeedChange = {
    ...(folder && !kept.folder && { folder }),
    ...(name && !kept.name && { name }),
    ...(ownCategory && !kept.ownCategory && { ownCategory }),
    ...(articles && !kept.articles && { articles }),
    ...(wants && !kept.wants && { wants }),
    ...(titlePrefix && !kept.titlePrefix && { titlePrefix }),
    ...(title && !isNamed && { title }),
  }
  return said
}

/** What an entry is recognised by. */
type Twin = Pick<Entry, 'id' | 'key' | 'url' | 'title' | 'publishedAt'>

async function everyTwin({ catalogue }: Pick<FeedMergerParts, 'catalogue'>, feedId: FeedId): Promise<Twin[]> {
  const all: Twin[] = []
  for await (const { id, key, url, title, publishedAt } of catalogue.everyEntry({ feedId }))
    all.push({ id, key, title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }) })
  return all
}

/** Finds the same entry among others: by its key, its address in any spelling, or title and date. */
function finderOf(entries: readonly Twin[]): (entry: Twin) => EntryId | undefined {
  const known = new Map<string, EntryId>()
  for (const entry of entries) for (const sign of signsOf(entry)) if (!known.has(sign)) known.set(sign, entry.id)
  return (entry) => {
    for (const sign of signsOf(entry)) if (known.has(sign)) return known.get(sign)
    return undefined
  }
}

function signsOf({ key, url, title, publishedAt }: Twin): string[] {
  return [
    `key ${key}`,
    ...(url ? [`url ${url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/(?=$|[?#])/, '')}`] : []),
    ...(title && publishedAt !== undefined ? [`title ${publishedAt} ${title}`] : []),
  ]
}

function draftOf({ id: _id, feedId: _feedId, seenAt: _seenAt, changedAt: _changedAt, ...draft }: Entry): EntryDraft {
  return draft
}

/** The oldest are forgotten first. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  for (const old of map.keys()) {
    if (map.size <= MOST_REMEMBERED) break
    map.delete(old)
  }
}
