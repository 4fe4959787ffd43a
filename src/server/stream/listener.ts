/**
 * One client of the event stream. Entries are read at the client's own pace, because they are stored; other events are queued up to a
 * limit. A client that is too slow gets a `cut` event and is disconnected: it reconnects with the id of its last entry and loses none.
 */
import { type EntryId, type FeedId, isOfLanguage, type Millis, SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { StreamEvent } from '../../views/index.ts'
import type { Tail, TailEntry } from './tail.ts'

export type StreamKind = 'entries' | StreamEvent['kind']

export interface StreamFilter {
  kinds: ReadonlySet<StreamKind>
  feedId?: FeedId
  /** The matching ones of these feeds. Called for each batch, because subscriptions may change. */
  filterFeeds?: (ids: FeedId[]) => Promise<ReadonlySet<FeedId>>
  /** The client cannot see all feeds, so copies are left out. */
  isScoped?: boolean
  category?: string
  language?: string
  /** Starts after this entry. */
  after: EntryId
}

export interface Listener {
  notify(event: StreamEvent): void
  /** There may be new entries. */
  wake(): void
  /** Completes when the stream ends. */
  messages(): AsyncGenerator<string>
  end(): void
}

export const MAX_QUEUED = 256
/** Messages are sent together up to this length, because small writes are expensive. */
const MAX_CHUNK_LENGTH = 16 * 1024
export const HEARTBEAT_MS: Millis = 20 * SECOND
/** A client that reads nothing for this long is disconnected. */
export const IDLE_TIMEOUT_MS: Millis = 60 * SECOND
const RECONNECT_MS: Millis = 3 * SECOND

const EVENT_NAMES: Record<StreamKind, string> = {
  entries: 'entry',
  articles: 'article',
  stories: 'story',
  polls: 'poll',
  trouble: 'trouble',
}

interface ListenerParts {
  filter: StreamFilter
  tail: Tail
  clock: Clock
  /** The client disconnected or was cut off; `isStuck`: it does not even read that it was cut off. */
  onEnd(isStuck: boolean): void
}

export function createListener({ filter, tail, clock, onEnd }: ListenerParts): Listener {
  const { kinds, feedId, filterFeeds } = filter
  const ended = new AbortController()
  const queued: StreamEvent[] = []
  let last = filter.after
  let isCut = false
  let isHeartbeatDue = false
  /** When the pending message was offered; undefined while none is pending. Set initially, so that a client that never reads is detected. */
  let pendingSince: number | undefined = clock.now()
  let wakeUp = Promise.withResolvers<void>()

  function wake(): void {
    wakeUp.resolve()
  }

  function end(isStuck = false): void {
    if (ended.signal.aborted) return
    ended.abort()
    wake()
    onEnd(isStuck)
  }

  async function runHeartbeat(): Promise<void> {
    for (;;) {
      await clock.sleepUntil(clock.now() + HEARTBEAT_MS, ended.signal)
      if (ended.signal.aborted) return
      if (pendingSince !== undefined && clock.now() - pendingSince >= IDLE_TIMEOUT_MS) return end(true)
      isHeartbeatDue = true
      wake()
    }
  }

  /** Keeps the order. */
  async function filterByFeed<About extends { feedId?: FeedId }>(things: About[]): Promise<Set<About>> {
    if (!filterFeeds || things.length === 0) return new Set(things)
    const ids = new Set(things.flatMap((one) => one.feedId ?? []))
    const matching = await filterFeeds([...ids])
    return new Set(things.filter((one) => one.feedId !== undefined && matching.has(one.feedId)))
  }

  async function* chunks(): AsyncGenerator<string> {
    yield `retry: ${RECONNECT_MS}\nid: ${last}\n\n`
    while (!ended.signal.aborted) {
      wakeUp = Promise.withResolvers()
      let chunk = ''
      if (kinds.has('entries'))
        for await (const lines of inBatches(tail.after(last))) {
          const matching = await filterByFeed(lines.filter((entry) => matchesFilter(entry, filter)))
          for (const entry of lines) {
            if (ended.signal.aborted) break
            last = entry.id
            if (matching.has(entry))
              chunk += `id: ${entry.id}\n${message('entries', filter.isScoped ? entry.jsonWithoutCopies : entry.json)}`
            if (chunk.length < MAX_CHUNK_LENGTH) continue
            yield chunk
            chunk = ''
          }
        }
      for (const event of await filterByFeed(queued.splice(0))) {
        chunk += message(event.kind, JSON.stringify(event.data))
        if (chunk.length < MAX_CHUNK_LENGTH) continue
        yield chunk
        chunk = ''
      }
      if (chunk) yield chunk
      if (isHeartbeatDue) {
        isHeartbeatDue = false
        yield `: still here\nid: ${last}\n\n`
      }
      await wakeUp.promise
    }
    if (isCut) yield `event: cut\ndata: ${JSON.stringify(TOO_SLOW)}\n\n`
  }

  void runHeartbeat()
  return {
    notify(event) {
      if (ended.signal.aborted || !kinds.has(event.kind)) return
      if (feedId !== undefined && event.feedId !== feedId) return
      if (queued.push(event) > MAX_QUEUED) {
        queued.length = 0
        isCut = true
        end()
      }
      wake()
    },
    wake,
    async *messages() {
      pendingSince = undefined
      try {
        for await (const one of chunks()) {
          pendingSince = clock.now()
          yield one
          pendingSince = undefined
        }
      } finally {
        end() // also if the store failed: the client reconnects
      }
    },
    end: () => end(),
  }
}

const TOO_SLOW = {
  words: `more than ${MAX_QUEUED} messages waited`,
  hint: 'reconnect with the id of the last entry as Last-Event-ID; subscribe to fewer kinds, or use a narrower filter',
}

/** JSON contains no line breaks, so one line of data is enough. */
function message(kind: StreamKind, json: string): string {
  return `event: ${EVENT_NAMES[kind]}\ndata: ${json}\n\n`
}

/** Entries per call of `filterFeeds`. */
const BATCH = 100

async function* inBatches(lines: AsyncIterable<TailEntry>): AsyncGenerator<TailEntry[]> {
  let batch: TailEntry[] = []
  for await (const entry of lines) {
    if (batch.push(entry) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function matchesFilter(entry: TailEntry, { feedId, category, language }: StreamFilter): boolean {
  return (
    (feedId === undefined || entry.feedId === feedId) &&
    (category === undefined || entry.category === category.toLowerCase()) &&
    (language === undefined || isOfLanguage(entry.language, language))
  )
}
