/** The digests of a user as an outgoing feed, one item each. */
import type { EntryId, FeedOut } from '../../model/index.ts'
import { loadDigests } from '../../notifications/index.ts'
import type { OutgoingFeed } from '../../views/index.ts'
import type { ServerParts } from '../server-parts.ts'

const IDS_PER_USER = 100_000_000

export async function digestFeed(
  { userId, name }: Pick<FeedOut, 'userId' | 'name'>,
  limit: number,
  parts: Pick<ServerParts, 'userValues'>,
): Promise<OutgoingFeed> {
  const digests = (await loadDigests(parts, userId)).slice(0, limit)
  return {
    title: name,
    changedAt: digests[0]?.dueAt ?? 0,
    items: digests.map(({ key, subject, html, dueAt }) => ({
      id: (userId * IDS_PER_USER + Number(key.replaceAll('-', ''))) as EntryId,
      seenAt: dueAt,
      title: subject,
      html,
      publishedAt: dueAt,
      updatedHereAt: dueAt,
      tags: [],
      recordings: [],
    })),
  }
}
