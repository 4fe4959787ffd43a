/**
 * Publishes changes of output feeds to a WebSub hub (WebSub, 6: publisher and hub agree on the protocol; all hubs know this one). The hub then
 * fetches the feeds and notifies their subscribers. Changes are detected by the feeds' entries; the state is not kept across restarts, so a
 * hub may be pinged once more and find nothing new.
 */
import { DAY, type FeedOut, failureInWords, HOUR, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Clock, Handouts, Net, People, Search } from '../ports/index.ts'
import {
  type Catalogues,
  feedOutFingerprint,
  feedOutQuery,
  type VisibilityParts,
  visibleToUser,
} from '../views/index.ts'

interface HubPingParts extends Catalogues, Pick<VisibilityParts, 'sharedReading'> {
  hub: { url: string; publicUrl: string }
  handouts: Handouts
  people: People
  search: Search
  clock: Clock
  net: Net
  /** Called before each ping, to check that no other process has taken over. */
  isSure?: () => boolean
  onTrouble?: (words: string) => void
  onMistake?: (error: unknown, doing: string) => void
}

const LOOK_EVERY_MS: Millis = 30 * SECOND
const LONGEST_REST_MS: Millis = HOUR
/** Feeds not fetched for this long have no subscribers. */
const USED_WITHIN_MS: Millis = 30 * DAY
/** The most recently fetched ones; each is checked whenever there are new entries. */
const MOST_FEEDS = 200
/** Entries checked per feed. */
const LOOKED_AT = 20
const MOST_ANSWER_BYTES = 16 * 1024
const FORMATS = ['rss', 'atom', 'json']

export function createHubPings(parts: HubPingParts): { run(signal: AbortSignal): Promise<void> } {
  const { hub, handouts, people, catalogue, clock, net, isSure = () => true } = parts
  const { onTrouble = () => {}, onMistake = () => {} } = parts
  /** By the secret of the feed's address: another address is another topic. */
  let told = new Map<string, string>()
  let lookedUpTo: number | undefined
  let restsUntil: Instant = 0
  let failures = 0

  async function feedsInUse(): Promise<FeedOut[]> {
    const owners = new Set([await people.firstPerson(), ...(await people.people()).map(({ id }) => id)])
    const feeds: FeedOut[] = []
    for (const id of owners) feeds.push(...(await handouts.feedsOut(id)))
    return feeds
      .filter(({ usedAt = 0 }) => clock.now() - usedAt < USED_WITHIN_MS)
      .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
      .slice(0, MOST_FEEDS)
  }

  /** Returns false if it has to be repeated. */
  async function round(signal: AbortSignal): Promise<boolean> {
    const feeds = await feedsInUse()
    const keys = new Set(feeds.map(({ key }) => key))
    told = new Map([...told].filter(([key]) => keys.has(key)))
    for (const feed of feeds) {
      const query = await feedOutQuery(feed, LOOKED_AT, handouts)
      const state = query ? await feedOutFingerprint(query, await visibleToUser(feed.personId, parts)) : ''
      if (signal.aborted || !isSure()) return false
      if (told.get(feed.key) === state) continue
      for (const format of FORMATS) if (!(await ping(`/feeds/out/${feed.key}.${format}`, signal))) return false
      told.set(feed.key, state)
      failures = 0
    }
    return true
  }

  /** Rejections by the hub count as done. */
  async function ping(path: string, signal: AbortSignal): Promise<boolean> {
    const topic = hub.publicUrl.replace(/\/+$/, '') + path
    const answer = await net.post({
      url: hub.url,
      form: { 'hub.mode': 'publish', 'hub.url': topic, 'hub.topic': topic }, // most hubs use the first address
      maxBytes: MOST_ANSWER_BYTES,
      enoughBytes: MOST_ANSWER_BYTES,
      follows: () => false,
      signal,
    })
    if (signal.aborted) return false
    if (answer.ok && answer.status < 300) return true
    const words = failureInWords(answer.ok ? { kind: 'http', status: answer.status } : answer.failure)
    onTrouble(words)
    if (answer.ok && answer.status >= 400 && answer.status < 500 && answer.status !== TOO_MANY) return true
    restsUntil = clock.now() + Math.min(LONGEST_REST_MS, MINUTE * 2 ** failures++)
    return false
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          const newest = await catalogue.newestEntryId()
          if (newest !== lookedUpTo && clock.now() >= restsUntil) {
            const isDone = await round(signal)
            if (isDone) lookedUpTo = newest
          }
        } catch (error) {
          onMistake(error, 'telling the hub')
        }
        await clock.sleepUntil(clock.now() + LOOK_EVERY_MS, signal)
      }
    },
  }
}

const TOO_MANY = 429
