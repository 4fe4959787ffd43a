/** The access of users by their groups at a sign-in provider, such as `freshet-admins=admin, *=read`. */
import { type AccessScope, includesScope } from '../../model/index.ts'

/** The group `*` is everybody. */
export interface GroupRole {
  group: string
  scope: AccessScope
}

/** `unchanged`: groups decide nothing. `none`: no group of the user has access. */
export type RoleDecision = AccessScope | 'unchanged' | 'none'

const MAX_GROUPS = 1000

/** The most access that one of the groups has. */
export function roleOfGroups(groups: readonly string[], roles: readonly GroupRole[]): RoleDecision {
  if (roles.length === 0) return 'unchanged'
  const scopes = roles.filter(({ group }) => group === '*' || groups.includes(group)).map(({ scope }) => scope)
  return scopes.reduce<RoleDecision>(
    (most, scope) => (most === 'none' || most === 'unchanged' || includesScope(scope, most) ? scope : most),
    'none',
  )
}

/** A claim is a list of names, or one name. Whatever else it contains is ignored. */
export function groupsInClaim(claim: unknown): string[] {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.filter((value): value is string => typeof value === 'string').slice(0, MAX_GROUPS)
}

/** Proxies separate groups by commas, or by vertical bars as Authentik does. */
export function groupsInHeader(header: string | undefined): string[] {
  return (header ?? '')
    .split(/[,|]/)
    .map((group) => group.trim())
    .filter((group) => group !== '')
    .slice(0, MAX_GROUPS)
}
