/**
 * Exports a store's recorded history as one CSV per feed (see traces/tudcs.ts), for programs that read such datasets.
 */
import { createHash } from 'node:crypto'
import type { Entry, Instant, Poll } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { USUAL_WINDOW } from './traces/trace.ts'
import { MISS_LINE, tudcsLine } from './traces/tudcs.ts'

export interface TudcsFile {
  /** `7_example.org_feed.csv` */
  name: string
  lines: AsyncIterable<string>
}

const MAX_NAME_LENGTH = 80

/** Feeds that were polled since `since`. */
export async function* tudcsFiles(catalogue: Catalogue, since: Instant): AsyncIterable<TudcsFile> {
  for await (const { feed } of catalogue.everyFeed()) {
    const polls = new Map<Instant, Poll>()
    for await (const poll of catalogue.everyPoll({ feedId: feed.id, since })) polls.set(poll.at, poll)
    if (polls.size > 0) yield { name: nameOf(feed.id, feed.url), lines: linesOf(catalogue, feed.id, polls) }
  }
}

async function* linesOf(
  catalogue: Catalogue,
  feedId: Entry['feedId'],
  polls: Map<Instant, Poll>,
): AsyncIterable<string> {
  const found: { seenAt: Instant; line: string }[] = []
  for await (const { key, url, title, publishedAt, seenAt } of catalogue.everyEntry({ feedId })) {
    const poll = polls.get(seenAt)
    const window = poll?.result.kind === 'read' ? poll.result.window : undefined
    const line = tudcsLine({
      ...(publishedAt !== undefined && { publishedAt }),
      polledAt: seenAt,
      hash: createHash('sha1').update(key).digest('hex'),
      title,
      ...(url && { link: url }),
      window: window || USUAL_WINDOW,
      ...(poll && poll.bytes > 0 && { bytes: poll.bytes }),
    })
    found.push({ seenAt, line })
  }
  let before: Instant | undefined
  for (const { seenAt, line } of found.toSorted((a, b) => a.seenAt - b.seenAt)) {
    const result = seenAt === before ? undefined : polls.get(seenAt)?.result
    if (result?.kind === 'read' && result.gap) yield MISS_LINE
    before = seenAt
    yield line
  }
}

function nameOf(id: number, url: string): string {
  const safe = url.replace(/^\w+:\/+/, '').replace(/[^\w.-]+/g, '_')
  return `${id}_${safe.slice(0, MAX_NAME_LENGTH)}.csv`
}
