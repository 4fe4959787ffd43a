/** The stores restricted to what one user sees, independent of the request: for outgoing feeds, webhooks and feed readers. */
import { type UserId, type Visibility, visibilityOfUser } from '../model/index.ts'
import type { Users } from '../ports/index.ts'
import type { VisibleParts } from './feed-visibility.ts'
import { withoutMuted } from './hide-muted.ts'
import { visibleTo } from './visible-catalogues.ts'

export interface VisibilityParts {
  users: Pick<Users, 'allUsers'>
  /** Whether all users can read public feeds. */
  sharedReading?: boolean
}

export async function visibleToUser<Parts extends VisibleParts & VisibilityParts>(
  userId: UserId,
  parts: Parts,
): Promise<Parts> {
  return withoutMuted(visibleTo(parts, await visibilityFor(userId, parts)), async () => userId)
}

export async function visibilityFor(
  userId: UserId,
  { users, sharedReading = false }: VisibilityParts,
): Promise<Visibility> {
  return visibilityOfUser(userId, { hasAccounts: (await users.allUsers()).length > 0, isShared: sharedReading })
}
