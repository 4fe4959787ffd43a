/** What the crawl tells, as a stream has it: of an event one message, several or none. */
import type { GroupEventShape, PollEventShape, TroubleEventShape } from '../../api/index.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import { type FeedId, failureInWords, withoutCredentials } from '../../model/index.ts'
import { pollResultShape } from './poll.ts'
import { isoDate, omitUndefined } from './values.ts'

export type StreamEvent = { feedId?: FeedId } & (
  | { kind: 'stories'; data: GroupEventShape }
  | { kind: 'polls'; data: PollEventShape }
  | { kind: 'trouble'; data: TroubleEventShape }
)

export function streamEvents(event: CrawlEvent): StreamEvent[] {
  const trouble = troubleOfEvent(event)
  return [
    ...(event.kind === 'polled' ? [pollEvent(event)] : []),
    ...(event.kind === 'joined' || event.kind === 'regrouped' ? [groupEvent(event)] : []),
    ...(trouble ? [troubleEvent(event, trouble)] : []),
  ]
}

function pollEvent({
  feedId,
  at,
  tookMs,
  bytes,
  result,
  title,
  dueAt,
}: Extract<CrawlEvent, { kind: 'polled' }>): StreamEvent {
  const shown = pollResultShape(result)
  const data = { feedId, at: isoDate(at), tookMs, bytes, result: shown, feedTitle: title, dueAt: isoDate(dueAt) }
  return { kind: 'polls', feedId, data }
}

function groupEvent(event: Extract<CrawlEvent, { kind: 'joined' | 'regrouped' }>): StreamEvent {
  const { entryId, title, level } = event
  const common = { at: isoDate(event.at), entryId, title, level }
  if (event.kind === 'regrouped')
    return { kind: 'stories', data: { kind: 'moved', ...common, ...omitUndefined({ from: event.from, to: event.to }) } }
  const { likeId, likeness, reason } = event
  return { kind: 'stories', data: { kind: 'joined', ...common, ...omitUndefined({ likeId }), likeness, reason } }
}

type Trouble = Omit<TroubleEventShape, 'at'> & { feedId?: FeedId }

function troubleEvent({ at }: CrawlEvent, trouble: Trouble): StreamEvent {
  const { feedId } = trouble
  return { kind: 'trouble', ...(feedId !== undefined && { feedId }), data: { at: isoDate(at), ...trouble } }
}

function troubleOfEvent(event: CrawlEvent): Trouble | undefined {
  switch (event.kind) {
    case 'polled':
      if (event.result.kind !== 'failed') return undefined
      return { kind: 'poll-failed', words: failureInWords(event.result.failure), feedId: event.feedId }
    case 'not-found':
      return { kind: 'not-found', words: failureInWords(event.failure), sourceId: event.sourceId }
    case 'host-rests':
      return {
        kind: 'host-rests',
        words: failureInWords(event.failure),
        root: event.root,
        until: isoDate(event.until),
      }
    case 'incident':
      return { kind: 'incident', words: `many of its feeds fail alike: ${event.sign}`, root: event.root }
    case 'incident-over':
      return { kind: 'incident-over', words: 'its feeds are well again', root: event.root }
    case 'successor':
      return { kind: 'successor', words: `gone; perhaps it is ${event.successorUrl} now`, feedId: event.feedId }
    case 'duplicate':
      return { kind: 'duplicate', words: `leads to where feed ${event.sameAs} is`, feedId: event.feedId }
    case 'merged':
      return {
        kind: 'merged',
        words: `the same as feed ${event.mergedId}, which was merged into it`,
        feedId: event.feedId,
      }
    case 'move-held':
      return {
        kind: 'move-held',
        words: `redirects to ${event.to}, another site with nothing known in it; nothing is taken from there until you say so`,
        feedId: event.feedId,
      }
    case 'flood':
      return { kind: 'flood', words: 'more in a day than a feed may bring', feedId: event.feedId }
    case 'store-refuses':
      return { kind: 'store-refuses', words: event.error.message }
    case 'store-well':
      return { kind: 'store-well', words: 'the store works again' }
    case 'mistake':
      return { kind: 'mistake', words: `internal error while ${withoutCredentials(event.doing)}` }
    default:
      return undefined
  }
}
