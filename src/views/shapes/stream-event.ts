/** Converts crawl events to stream events: one, several or none for each. */
import type { ArticleEventShape, GroupEventShape, PollEventShape, TroubleEventShape } from '../../api/index.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import { describeFailure, type FeedId, withoutCredentials } from '../../model/index.ts'
import { pollResultShape } from './poll.ts'
import { isoDate, omitUndefined } from './values.ts'

export type StreamEvent = { feedId?: FeedId } & (
  | { kind: 'articles'; data: ArticleEventShape }
  | { kind: 'stories'; data: GroupEventShape }
  | { kind: 'polls'; data: PollEventShape }
  | { kind: 'trouble'; data: TroubleEventShape }
)

export function streamEvents(event: CrawlEvent): StreamEvent[] {
  const trouble = troubleOfEvent(event)
  return [
    ...(event.kind === 'polled' ? [pollEvent(event)] : []),
    ...(event.kind === 'article' ? articleEvents(event) : []),
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
  const resultShape = pollResultShape(result)
  const data = { feedId, at: isoDate(at), tookMs, bytes, result: resultShape, feedTitle: title, dueAt: isoDate(dueAt) }
  return { kind: 'polls', feedId, data }
}

/** One for each entry that links to the article, so that streams can be limited to feeds. */
function articleEvents({ at, links = [], result }: Extract<CrawlEvent, { kind: 'article' }>): StreamEvent[] {
  const isFailed = result.kind === 'failed'
  const state = !isFailed ? 'read' : result.dueAt === undefined ? 'failed' : 'waiting'
  const words = isFailed ? describeFailure(result.failure) : undefined
  return links.map(({ entryId, feedId }) => ({
    kind: 'articles',
    feedId,
    data: { at: isoDate(at), entryId, feedId, state, ...omitUndefined({ words }) },
  }))
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
      return { kind: 'poll-failed', words: describeFailure(event.result.failure), feedId: event.feedId }
    case 'not-found':
      return { kind: 'not-found', words: describeFailure(event.failure), sourceId: event.sourceId }
    case 'host-backing-off':
      return {
        kind: 'host-backing-off',
        words: describeFailure(event.failure),
        root: event.root,
        until: isoDate(event.until),
      }
    case 'incident':
      return { kind: 'incident', words: `many of its feeds fail in the same way: ${event.sign}`, root: event.root }
    case 'incident-over':
      return { kind: 'incident-over', words: 'its feeds work again', root: event.root }
    case 'successor':
      return { kind: 'successor', words: `gone; it may have moved to ${event.successorUrl}`, feedId: event.feedId }
    case 'duplicate':
      return { kind: 'duplicate', words: `redirects to the address of feed ${event.sameAs}`, feedId: event.feedId }
    case 'merged':
      return {
        kind: 'merged',
        words: `the same as feed ${event.mergedId}, which was merged into it`,
        feedId: event.feedId,
      }
    case 'move-on-hold':
      return {
        kind: 'move-on-hold',
        words: `redirects to ${event.to}, another site that has no known entries; nothing is read from there until you confirm the move`,
        feedId: event.feedId,
      }
    case 'flood':
      return { kind: 'flood', words: 'more new entries in a day than the limit of a feed', feedId: event.feedId }
    case 'store-unavailable':
      return { kind: 'store-unavailable', words: event.error.message }
    case 'store-recovered':
      return { kind: 'store-recovered', words: 'the store works again' }
    case 'internal-error':
      return { kind: 'mistake', words: `internal error while ${withoutCredentials(event.doing)}` }
    default:
      return undefined
  }
}
