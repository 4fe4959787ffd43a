/** `/api/v1/stream`: what happens, as it happens. The crawl tells it once; everybody who listens gets what he asked for. */
import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import { type EntryId, type FeedId, type FeedScope, isInFolder, type PersonId } from '../../model/index.ts'
import { streamEvents } from '../../views/index.ts'
import { callerOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { AccessRechecks } from '../recheck-access.ts'
import type { ServerParts } from '../server-parts.ts'
import { createListener, type Listener, type StreamFilter, type StreamKind } from '../stream/listener.ts'
import { createTail } from '../stream/tail.ts'
import { validatedRoutes } from '../validation.ts'
import { viewerIdOf, visibilityOf } from '../visible.ts'

const MOST_LISTENERS = 100
const MOST_OF_A_USER = 10
const COME_AGAIN_SECONDS = 60

export function streamRoutes(parts: ServerParts, guard: AccessRechecks): OpenAPIHono {
  const { catalogue, readership, clock, crawler, closing, onNews, onMistake = () => {} } = parts
  const app = validatedRoutes()
  const tail = createTail(parts)
  /** With the user of each; undefined where nobody has to log in. */
  const listeners = new Map<Listener, PersonId | undefined>()
  /** Entries that other processes have brought; nobody is asked for them while nobody listens here. */
  let stopWaiting: (() => void) | undefined

  const stopHearing = crawler.onEvent((event) => {
    if (listeners.size === 0) return
    for (const told of streamEvents(event)) for (const listener of listeners.keys()) listener.notify(told)
    if (bringsEntries(event)) void tellEntries()
  })

  closing?.addEventListener('abort', () => {
    stopHearing()
    stopWaiting?.()
    for (const listener of listeners.keys()) listener.end()
  })

  async function tellEntries(): Promise<void> {
    try {
      await tail.refresh()
    } catch (error) {
      onMistake(error, 'reading new entries for those who listen') // the next that come bring these along
    }
    for (const listener of listeners.keys()) listener.wake()
  }

  async function seenAmong(ids: FeedId[], scope: FeedScope): Promise<Set<FeedId>> {
    return new Set(await readership.feedsWithin(scope, { among: ids }))
  }

  async function followedAmong(ids: FeedId[], reader: PersonId, folder?: string): Promise<Set<FeedId>> {
    const readings = (await readership.readingsOf(reader, ids)).filter((reading) => reading !== undefined)
    const meant = readings.filter((own) => folder === undefined || isInFolder(own.folder, folder))
    return new Set(meant.map(({ feedId }) => feedId))
  }

  function listen(user: PersonId | undefined, wanted: StreamFilter, drop: () => void, ended: () => void): Listener {
    const listener = createListener({
      wanted,
      tail,
      clock,
      onEnd(isStuck) {
        listeners.delete(listener)
        ended()
        if (isStuck) drop()
        if (listeners.size > 0) return
        tail.forget()
        stopWaiting?.()
        stopWaiting = undefined
      },
    })
    listeners.set(listener, user)
    stopWaiting ??= onNews?.(() => void tellEntries())
    void tellEntries()
    return listener
  }

  app.openapi(OPERATIONS.openStream, async (c) => {
    const { kinds = ['entries'], feed, mine, folder, category, language, after } = c.req.valid('query')
    const reader = mine || folder !== undefined ? await viewerIdOf(c) : undefined
    const { personId, reach } = await visibilityOf(c, parts)
    const scope = personId !== undefined && reach !== 'everything' ? { personId, reach } : undefined
    const newest = await catalogue.newestEntryId()
    if (listeners.size >= MOST_LISTENERS)
      throw new Problem(429, `the limit of ${MOST_LISTENERS} streams is reached`, 'retry later', COME_AGAIN_SECONDS)
    const user = callerOf(c).person?.id
    const own = [...listeners.values()].filter((one) => one === user).length
    if (user !== undefined && own >= MOST_OF_A_USER)
      throw new Problem(429, `you have ${own} streams open`, 'close one first', COME_AGAIN_SECONDS)
    const [sent] = /^\d{1,15}$/.exec(c.req.header('last-event-id') ?? '') ?? []
    const last = sent === undefined ? after : Number(sent)
    const wanted: StreamFilter = {
      kinds: new Set<StreamKind>(kinds),
      ...(feed !== undefined && { feedId: feed as FeedId }),
      ...(scope && { among: (ids: FeedId[]) => seenAmong(ids, scope), isScoped: true }),
      ...(reader !== undefined && { among: (ids: FeedId[]) => followedAmong(ids, reader, folder) }),
      ...(category !== undefined && { category }),
      ...(language !== undefined && { language }),
      after: Math.min(last ?? newest, newest) as EntryId,
    }
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
    const over = new AbortController()
    const listener = listen(
      user,
      wanted,
      () => outgoing?.destroy(),
      () => over.abort(),
    )
    guard.add(c, () => listener.end(), over.signal)
    return c.body(streamOf(listener), 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close', // nothing comes after it
      'x-accel-buffering': 'no', // a proxy that collects what it passes on would hold back the news
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

/** Nothing is made before somebody takes it. */
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
