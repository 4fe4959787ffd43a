/** The JSON shapes of saved searches, outgoing feeds and webhooks. */
import type { FeedOutOfShape, FeedOutShape, SavedSearchShape, WebhookShape } from '../../api/index.ts'
import type { FeedOut, FeedOutOf, SavedSearch, Webhook, WebhookDelivery } from '../../model/index.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export function savedSearchShape({ id, name, query, order, unique, addedAt }: SavedSearch): SavedSearchShape {
  return { id, name, query, ...omitUndefined({ order, unique }), addedAt: isoDate(addedAt) }
}

export function feedOutShape({ id, name, of, text, unique, key, addedAt, usedAt }: FeedOut): FeedOutShape {
  const path = (format: string) => `/feeds/out/${key}.${format}`
  return {
    id,
    name,
    of: ofShape(of),
    text,
    ...omitUndefined({ unique, usedAt: isoOrUndefined(usedAt) }),
    addedAt: isoDate(addedAt),
    paths: { rss: path('rss'), atom: path('atom'), json: path('json') },
  }
}

function ofShape(of: FeedOutOf): FeedOutOfShape {
  if (of.kind === 'feed') return { kind: 'feed', feed: of.feedId }
  if (of.kind === 'search') return { kind: 'search', search: of.searchId }
  return of
}

/** Without its secret. */
export function webhookShape(webhook: Webhook): WebhookShape {
  const { id, name, url, searchId, state, failures, addedAt, dueAt, last } = webhook
  return {
    id,
    name,
    url,
    search: searchId,
    state,
    failures,
    addedAt: isoDate(addedAt),
    ...(state === 'active' && { dueAt: isoDate(dueAt) }),
    ...(last && { last: deliveryShape(last) }),
  }
}

function deliveryShape({ at, status, trouble }: WebhookDelivery) {
  return { at: isoDate(at), ...(status !== undefined && { status }), ...(trouble !== undefined && { trouble }) }
}
