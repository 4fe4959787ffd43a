/**
 * Which feeds a caller may see, and with them their entries, articles, copies and polls. Computed once per request and then applied
 * as a filter by the store: what a caller may not see does not exist for them.
 */
import type { UserId } from './user.ts'

/**
 * For a user:
 *
 * - followed: feeds they follow
 * - common:   also those listed in freshet.toml
 * - shared:   also every feed that is not private (`--shared-reading`)
 * - public:   every feed that is not private, followed or not: for a token that reads the whole crawl
 */
export type Reach = 'followed' | 'common' | 'shared' | 'public'

export interface FeedScope {
  userId: UserId
  reach: Reach
}

/** `everything` with `userId`: an admin, who sees private feeds they do not follow with redacted addresses. */
export type Visibility = FeedScope | { userId?: UserId; reach: 'everything' }

/** Before accounts exist there is one user, who sees everything. `isShared`: public feeds are visible to all users. */
export function visibilityOfUser(
  userId: UserId,
  { hasAccounts, isShared }: { hasAccounts: boolean; isShared: boolean },
): Visibility {
  return hasAccounts ? { userId, reach: isShared ? 'shared' : 'common' } : { reach: 'everything' }
}
