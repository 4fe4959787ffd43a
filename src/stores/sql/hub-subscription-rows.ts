/** Converts rows of hub subscriptions to the model. Fields that are not queried are in one JSON column. */
import type { FeedId, HubSubscription, Instant } from '../../model/index.ts'
import { parseJsonColumn, requiredAddress } from './columns.ts'

export interface HubSubscriptionRow {
  token: string
  feed_id: FeedId
  state: HubSubscription['state']
  due_at: Instant
  revision: number
  facts: string
}

type Facts = Omit<HubSubscription, 'token' | 'revision' | 'feedId' | 'state' | 'dueAt' | 'hub' | 'topic'> & {
  hub: string
  topic: string
}

const UNREADABLE: Facts = { hub: '', topic: '', secret: '', failures: 0, pushes: 0 }

export function hubSubscriptionOf({
  token,
  revision,
  feed_id: feedId,
  state,
  due_at: dueAt,
  facts,
}: HubSubscriptionRow): HubSubscription {
  const { hub, topic, ...rest } = parseJsonColumn<Facts>(facts) ?? UNREADABLE
  return { token, revision, feedId, state, dueAt, ...rest, hub: requiredAddress(hub), topic: requiredAddress(topic) }
}
