/** When a feed is polled next, and why then, if there is a reason. */
import { words } from '../words.ts'
import { relative } from './format.ts'

export function nextPollText(dueAt: string, reason: string | undefined): string {
  const when = relative(dueAt)
  return reason ? words.dashboard.feed.pollsAtBecause({ when, reason }) : words.dashboard.feed.pollsAt({ when })
}
