/**
 * One who listens. Entries he takes at his own pace, for they can be read again; of all else, which has no past, so much waits
 * for him and no more. Who does not keep up is cut and told so: he comes again with the id of his last entry and has lost none.
 */
import { type EntryId, type FeedId, isOfLanguage, type Millis, SECOND } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { StreamEvent } from '../../views/index.ts'
import type { Tail, TailEntry } from './tail.ts'

export type StreamKind = 'entries' | StreamEvent['kind']

export interface StreamFilter {
  kinds: ReadonlySet<StreamKind>
  feedId?: FeedId
  /** Which of these feeds are meant, of those that somebody follows; asked anew each time, for he may follow others meanwhile. */
  among?: (ids: FeedId[]) => Promise<ReadonlySet<FeedId>>
  /** Others see entries that this one does not: of copies nothing is told. */
  isScoped?: boolean
  category?: string
  language?: string
  /** Behind which entry it begins. */
  after: EntryId
}

export interface Listener {
  notify(told: StreamEvent): void
  /** There may be new entries. */
  wake(): void
  /** Ends with the stream. */
  messages(): AsyncGenerator<string>
  end(): void
}

export const MOST_WAITING = 256
/** Messages go out together until they are so long: each on its own would cost more than it is. */
const PIECE = 16 * 1024
export const HEARTBEAT_MS: Millis = 20 * SECOND
/** Who takes nothing for so long is not there any more. */
export const PATIENCE_MS: Millis = 60 * SECOND
const COME_AGAIN_MS: Millis = 3 * SECOND

const EVENT_NAMES: Record<StreamKind, string> = {
  entries: 'entry',
  stories: 'story',
  polls: 'poll',
  trouble: 'trouble',
}

interface ListenerParts {
  wanted: StreamFilter
  tail: Tail
  clock: Clock
  /** He is gone, or was cut; `isStuck`: he does not even take the word of it. */
  onEnd(isStuck: boolean): void
}

export function createListener({ wanted, tail, clock, onEnd }: ListenerParts): Listener {
  const { kinds, feedId, among } = wanted
  const ended = new AbortController()
  const waiting: StreamEvent[] = []
  let last = wanted.after
  let isCut = false
  let isBeat = false
  /** Since when a message waits to be taken; the first has to be asked for, too. */
  let offeredAt: number | undefined = clock.now()
  let ring = Promise.withResolvers<void>()

  function wake(): void {
    ring.resolve()
  }

  function end(isStuck = false): void {
    if (ended.signal.aborted) return
    ended.abort()
    wake()
    onEnd(isStuck)
  }

  async function beat(): Promise<void> {
    for (;;) {
      await clock.sleepUntil(clock.now() + HEARTBEAT_MS, ended.signal)
      if (ended.signal.aborted) return
      if (offeredAt !== undefined && clock.now() - offeredAt >= PATIENCE_MS) return end(true)
      isBeat = true
      wake()
    }
  }

  /** In their order. */
  async function meantOf<About extends { feedId?: FeedId }>(things: About[]): Promise<Set<About>> {
    if (!among || things.length === 0) return new Set(things)
    const ids = new Set(things.flatMap((one) => one.feedId ?? []))
    const meant = await among([...ids])
    return new Set(things.filter((one) => one.feedId !== undefined && meant.has(one.feedId)))
  }

  async function* news(): AsyncGenerator<string> {
    yield `retry: ${COME_AGAIN_MS}\nid: ${last}\n\n`
    while (!ended.signal.aborted) {
      ring = Promise.withResolvers()
      let piece = ''
      if (kinds.has('entries'))
        for await (const lines of together(tail.after(last))) {
          const meant = await meantOf(lines.filter((line) => fits(line, wanted)))
          for (const line of lines) {
            if (ended.signal.aborted) break
            last = line.id
            if (meant.has(line))
              piece += `id: ${line.id}\n${message('entries', wanted.isScoped ? line.alone : line.text)}`
            if (piece.length < PIECE) continue
            yield piece
            piece = ''
          }
        }
      for (const told of await meantOf(waiting.splice(0))) {
        piece += message(told.kind, JSON.stringify(told.data))
        if (piece.length < PIECE) continue
        yield piece
        piece = ''
      }
      if (piece) yield piece
      if (isBeat) {
        isBeat = false
        yield `: still here\nid: ${last}\n\n`
      }
      await ring.promise
    }
    if (isCut) yield `event: cut\ndata: ${JSON.stringify(TOO_SLOW)}\n\n`
  }

  void beat()
  return {
    notify(told) {
      if (ended.signal.aborted || !kinds.has(told.kind)) return
      if (feedId !== undefined && told.feedId !== feedId) return
      if (waiting.push(told) > MOST_WAITING) {
        waiting.length = 0
        isCut = true
        end()
      }
      wake()
    },
    wake,
    async *messages() {
      offeredAt = undefined
      try {
        for await (const one of news()) {
          offeredAt = clock.now()
          yield one
          offeredAt = undefined
        }
      } finally {
        end() // also where the store failed: he comes again
      }
    },
    end: () => end(),
  }
}

const TOO_SLOW = {
  words: `more than ${MOST_WAITING} messages waited`,
  hint: 'come again with the id of the last entry as Last-Event-ID; ask for fewer kinds, or narrow them down',
}

/** JSON has no line breaks in it, so one line of data is enough. */
function message(kind: StreamKind, json: string): string {
  return `event: ${EVENT_NAMES[kind]}\ndata: ${json}\n\n`
}

/** Lines that are asked about at once. */
const TOGETHER = 100

async function* together(lines: AsyncIterable<TailEntry>): AsyncGenerator<TailEntry[]> {
  let some: TailEntry[] = []
  for await (const line of lines) {
    if (some.push(line) < TOGETHER) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

function fits(line: TailEntry, { feedId, category, language }: StreamFilter): boolean {
  return (
    (feedId === undefined || line.feedId === feedId) &&
    (category === undefined || line.category === category.toLowerCase()) &&
    (language === undefined || isOfLanguage(line.language, language))
  )
}
