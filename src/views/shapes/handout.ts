/** Saved searches, feeds at secret addresses and webhooks as our JSON has them. */
import type { FeedOutOfShape, FeedOutShape, SavedSearchShape, WebhookShape } from '../../api/index.ts'
import type { FeedOut, FeedOutOf, SavedSearch, Webhook } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'

export function savedSearchShape({ id, name, query, order, unique, addedAt }: SavedSearch): SavedSearchShape {
  return { id, name, query, ...present({ order, unique }), addedAt: iso(addedAt) }
}

export function feedOutShape({ id, name, of, text, unique, key, addedAt, usedAt }: FeedOut): FeedOutShape {
  const path = (format: string) => `/feeds/out/${key}.${format}`
  return {
    id,
    name,
    of: ofShape(of),
    text,
    ...present({ unique, usedAt: isoIfAny(usedAt) }),
    addedAt: iso(addedAt),
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
    addedAt: iso(addedAt),
    ...(state === 'active' && { dueAt: iso(dueAt) }),
    ...(last && { last: { ...last, at: iso(last.at) } }),
  }
}
