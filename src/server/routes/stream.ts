/** `/api/v1/stream`: server-sent events. Each crawl event is converted once, and sent to the listeners whose filter matches. */
import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import { type EntryId, type FeedId, type FeedScope, isInFolder, type UserId } from '../../model/index.ts'
import { streamEvents } from '../../views/index.ts'
import { callerOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { AccessRechecks } from '../recheck-access.ts'
import { viewerIdOf, visibilityOf } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { createListener, type Listener, type StreamFilter, type StreamKind } from '../stream/listener.ts'
import { createTail } from '../stream/tail.ts'
import { validatedRoutes } from '../validation.ts'

const MAX_STREAMS = 100
const MAX_STREAMS_PER_USER = 10
const RETRY_AFTER_SECONDS = 60

export function streamRoutes(parts: ServerParts, rechecks: AccessRechecks): OpenAPIHono {
  const { catalogue, readerState, clock, crawler, closing, onNewEntries, onInternalError = () => {} } = parts
  const app = validatedRoutes()
  const tail = createTail(parts)
  /** With the user of each; undefined if no login is required. */
  const listeners = new Map<Listener, UserId | undefined>()
  /** Stops watching for entries of other processes; undefined without listeners. */
  let stopWatching: (() => void) | undefined

  const unsubscribe = crawler.onEvent((event) => {
    if (listeners.size === 0) return
    for (const streamEvent of streamEvents(event)) for (const listener of listeners.keys()) listener.notify(streamEvent)
    if (bringsEntries(event)) void notifyEntries()
  })

  closing?.addEventListener('abort', () => {
    unsubscribe()
    stopWatching?.()
    for (const listener of listeners.keys()) listener.end()
  })

  async function notifyEntries(): Promise<void> {
    try {
      await tail.refresh()
    } catch (error) {
      onInternalError(error, 'reading new entries for streams') // retried with the next entries
    }
    for (const listener of listeners.keys()) listener.wake()
  }

  async function visibleAmong(ids: FeedId[], scope: FeedScope): Promise<Set<FeedId>> {
    return new Set(await readerState.feedsWithin(scope, { among: ids }))
  }

  async function followedAmong(ids: FeedId[], reader: UserId, folder?: string): Promise<Set<FeedId>> {
    const subscriptions = (await readerState.subscriptionsTo(reader, ids)).filter(
      (subscription) => subscription !== undefined,
    )
    const matching = subscriptions.filter(
      (subscription) => folder === undefined || isInFolder(subscription.folder, folder),
    )
    return new Set(matching.map(({ feedId }) => feedId))
  }

  function listen(
    user: UserId | undefined,
    filter: StreamFilter,
    closeSocket: () => void,
    onEnded: () => void,
  ): Listener {
    const listener = createListener({
      filter,
      tail,
      clock,
      onEnd(isStuck) {
        listeners.delete(listener)
        onEnded()
        if (isStuck) closeSocket()
        if (listeners.size > 0) return
        tail.clear()
        stopWatching?.()
        stopWatching = undefined
      },
    })
    listeners.set(listener, user)
    stopWatching ??= onNewEntries?.(() => void notifyEntries())
    void notifyEntries()
    return listener
  }

  app.openapi(OPERATIONS.openStream, async (c) => {
    const { kinds = ['entries'], feed, mine, folder, category, language, after } = c.req.valid('query')
    const reader = mine || folder !== undefined ? await viewerIdOf(c) : undefined
    const { userId, reach } = await visibilityOf(c, parts)
    const scope = userId !== undefined && reach !== 'everything' ? { userId, reach } : undefined
    const newest = await catalogue.newestEntryId()
    if (listeners.size >= MAX_STREAMS)
      throw new Problem(429, `the limit of ${MAX_STREAMS} streams is reached`, 'retry later', RETRY_AFTER_SECONDS)
    const user = callerOf(c).user?.id
    const openStreams = [...listeners.values()].filter((one) => one === user).length
    if (user !== undefined && openStreams >= MAX_STREAMS_PER_USER)
      throw new Problem(429, `you have ${openStreams} streams open`, 'close one first', RETRY_AFTER_SECONDS)
    const [sentId] = /^\d{1,15}$/.exec(c.req.header('last-event-id') ?? '') ?? []
    const last = sentId === undefined ? after : Number(sentId)
    const filter: StreamFilter = {
      kinds: new Set<StreamKind>(kinds),
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(scope && { filterFeeds: (ids: FeedId[]) => visibleAmong(ids, scope), isScoped: true }),
      ...(reader !== undefined && { filterFeeds: (ids: FeedId[]) => followedAmong(ids, reader, folder) }),
      ...(category !== undefined && { category }),
      ...(language !== undefined && { language }),
      after: Math.min(last ?? newest, newest) as EntryId,
    }
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
    const over = new AbortController()
    const listener = listen(
      user,
      filter,
      () => outgoing?.destroy(),
      () => over.abort(),
    )
    rechecks.add(c, () => listener.end(), over.signal)
    return c.body(streamOf(listener), 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close', // the connection is not reused
      'x-accel-buffering': 'no', // keeps proxies from buffering the stream
    })
  })
  return app
}

function bringsEntries(event: CrawlEvent): boolean {
  switch (event.kind) {
    case 'polled':
      return event.result.kind === 'read' && event.result.fresh > 0
    case 'pushed':
      return event.fresh > 0
    case 'found':
      return event.entries > 0
    default:
      return false
  }
}

/** Messages are generated on demand. */
function streamOf(listener: Listener): ReadableStream<Uint8Array> {
  const messages = listener.messages()
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await messages.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: () => listener.end(),
    },
    { highWaterMark: 0 },
  )
}
