/** Rows of subscriptions at hubs, in every store with tables. All but what is asked for stands in one JSON text. */
import type { FeedId, Instant, Push } from '../../model/index.ts'
import { jsonInColumn, ownAddress } from './columns.ts'

export interface PushRow {
  token: string
  feed_id: FeedId
  state: Push['state']
  due_at: Instant
  revision: number
  facts: string
}

type Facts = Omit<Push, 'token' | 'revision' | 'feedId' | 'state' | 'dueAt' | 'hub' | 'topic'> & {
  hub: string
  topic: string
}

const UNREADABLE: Facts = { hub: '', topic: '', secret: '', failures: 0, pushes: 0 }

export function pushOf({ token, revision, feed_id: feedId, state, due_at: dueAt, facts }: PushRow): Push {
  const { hub, topic, ...rest } = jsonInColumn<Facts>(facts) ?? UNREADABLE
  return { token, revision, feedId, state, dueAt, ...rest, hub: ownAddress(hub), topic: ownAddress(topic) }
}
