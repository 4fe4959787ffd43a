/**
 * Publishes changes of outgoing feeds to a WebSub hub (WebSub, 6: publisher and hub agree on the protocol; all hubs support this one). The
 * hub then fetches the feeds and notifies their subscribers. Changes are detected by fingerprints of the entries, which are not stored: after
 * a restart a hub may be pinged although nothing changed.
 */
import { DAY, describeFailure, type FeedOut, HOUR, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import type { Clock, Net, Search, Sharing, Users, UserValues } from '../ports/index.ts'
import {
  type Catalogues,
  feedOutFingerprint,
  feedOutQuery,
  type VisibilityParts,
  visibleToUser,
} from '../views/index.ts'

interface HubPingParts extends Catalogues, Pick<VisibilityParts, 'sharedReading'> {
  hub: { url: string; publicUrl: string }
  sharing: Sharing
  userValues: UserValues
  users: Users
  search: Search
  clock: Clock
  net: Net
  /** Called before each ping, to check that no other process has taken over. */
  isStillOwner?: () => boolean
  onFailure?: (reason: string) => void
  onInternalError?: (error: unknown, doing: string) => void
}

const POLL_INTERVAL_MS: Millis = 30 * SECOND
const MAX_PAUSE_MS: Millis = HOUR
/** Feeds not fetched for this long have no subscribers. */
const USED_WITHIN_MS: Millis = 30 * DAY
/** The most recently fetched ones; each is checked whenever there are new entries. */
const MAX_FEEDS = 200
/** Entries checked per feed. */
const FINGERPRINT_ENTRIES = 20
const MAX_RESPONSE_BYTES = 16 * 1024
const FORMATS = ['rss', 'atom', 'json']

export function createHubPings(parts: HubPingParts): { run(signal: AbortSignal): Promise<void> } {
  const { hub, sharing, users, catalogue, clock, net, isStillOwner = () => true } = parts
  const { onFailure = () => {}, onInternalError = () => {} } = parts
  /** The last pinged fingerprint, by the secret in the feed's address: another address is another topic. */
  let pinged = new Map<string, string>()
  let checkedUpTo: number | undefined
  let pausedUntil: Instant = 0
  let failures = 0

  async function feedsInUse(): Promise<FeedOut[]> {
    const owners = new Set([await users.firstUser(), ...(await users.allUsers()).map(({ id }) => id)])
    const feeds: FeedOut[] = []
    for (const id of owners) feeds.push(...(await sharing.sharedItems('feedOut', id)))
    return (
      feeds
        // The order of a personal feed changes with every entry, and takes long to compute.
        .filter(({ usedAt = 0, of }) => clock.now() - usedAt < USED_WITHIN_MS && of.kind !== 'for-you')
        .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
        .slice(0, MAX_FEEDS)
    )
  }

  /** Returns false if it has to be repeated. */
  async function pingChangedFeeds(signal: AbortSignal): Promise<boolean> {
    const feeds = await feedsInUse()
    const keys = new Set(feeds.map(({ key }) => key))
    pinged = new Map([...pinged].filter(([key]) => keys.has(key)))
    for (const feed of feeds) {
      const query = await feedOutQuery(feed, FINGERPRINT_ENTRIES, sharing)
      const fingerprint = query ? await feedOutFingerprint(query, await visibleToUser(feed.userId, parts)) : ''
      if (signal.aborted || !isStillOwner()) return false
      if (pinged.get(feed.key) === fingerprint) continue
      for (const format of FORMATS) if (!(await ping(`/feeds/out/${feed.key}.${format}`, signal))) return false
      pinged.set(feed.key, fingerprint)
      failures = 0
    }
    return true
  }

  /** Rejections by the hub count as done. */
  async function ping(path: string, signal: AbortSignal): Promise<boolean> {
    const topic = hub.publicUrl.replace(/\/+$/, '') + path
    const response = await net.post({
      url: hub.url,
      form: { 'hub.mode': 'publish', 'hub.url': topic, 'hub.topic': topic }, // most hubs use the first address
      maxBytes: MAX_RESPONSE_BYTES,
      enoughBytes: MAX_RESPONSE_BYTES,
      shouldFollow: () => false,
      signal,
    })
    if (signal.aborted) return false
    if (response.ok && response.status < 300) return true
    const reason = describeFailure(response.ok ? { kind: 'http', status: response.status } : response.failure)
    onFailure(reason)
    if (response.ok && response.status >= 400 && response.status < 500 && response.status !== TOO_MANY_REQUESTS)
      return true
    pausedUntil = clock.now() + Math.min(MAX_PAUSE_MS, MINUTE * 2 ** failures++)
    return false
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          const newest = await catalogue.newestEntryId()
          if (newest !== checkedUpTo && clock.now() >= pausedUntil) {
            const isDone = await pingChangedFeeds(signal)
            if (isDone) checkedUpTo = newest
          }
        } catch (error) {
          onInternalError(error, 'pinging the hub')
        }
        await clock.sleepUntil(clock.now() + POLL_INTERVAL_MS, signal)
      }
    },
  }
}

const TOO_MANY_REQUESTS = 429
