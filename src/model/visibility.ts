/**
 * Which feeds a caller may see, and with them their entries, articles, copies and polls. It is worked out once per request, and is a filter
 * of the store from then on: what is out of sight is not there.
 */
import type { PersonId } from './person.ts'

/**
 * Each of a user:
 *
 * - followed: what they follow
 * - common:   that, and what freshet.toml lists
 * - shared:   that, and every feed that is not private (`--shared-reading`)
 * - public:   every feed that is not private, whoever follows it: for a token that reads the whole crawl
 */
export type Reach = 'followed' | 'common' | 'shared' | 'public'

export interface FeedScope {
  personId: PersonId
  reach: Reach
}

/** `everything` with `personId`: of an admin, who is shown the addresses of private feeds that they do not follow without their secrets. */
export type Visibility = FeedScope | { personId?: PersonId; reach: 'everything' }

/** Before there are accounts there is one user, who sees everything. `isShared`: what is public is for all users. */
export function visibilityOfUser(
  personId: PersonId,
  { hasAccounts, isShared }: { hasAccounts: boolean; isShared: boolean },
): Visibility {
  return hasAccounts ? { personId, reach: isShared ? 'shared' : 'common' } : { reach: 'everything' }
}
