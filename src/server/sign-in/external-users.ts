/**
 * Accounts of users who were signed in elsewhere, by an OpenID Connect provider or a proxy: finds them, creates them if the operator allows
 * it, and applies the role of their groups. Such accounts have no password.
 */
import { findNameProblem } from '../../credentials/index.ts'
import type { User } from '../../model/index.ts'
import type { Clock, Users } from '../../ports/index.ts'
import { AccountError, createAccounts } from '../accounts.ts'
import { Problem } from '../problem.ts'
import { type RoleDecision, roleOfGroups } from './group-roles.ts'
import type { SignInSettings } from './settings.ts'

/** No password has this hash. */
export const NO_PASSWORD = ''

export interface ExternalUsers {
  /** Throws a Problem if the groups give no access. */
  applyRole(user: User, groups: readonly string[]): Promise<User>
  /** Throws a Problem if accounts are not created, or not with this name. */
  create(name: string, groups: readonly string[]): Promise<User>
}

export function createExternalUsers({
  users,
  clock,
  settings: { provisionUsers, groupRoles },
}: {
  users: Users
  clock: Clock
  settings: Pick<SignInSettings, 'provisionUsers' | 'groupRoles'>
}): ExternalUsers {
  const accounts = createAccounts({ users, clock })

  function roleFor(name: string, groups: readonly string[]): Exclude<RoleDecision, 'none'> {
    const role = roleOfGroups(groups, groupRoles)
    if (role !== 'none') return role
    throw new Problem(403, `no group of ${shown(name)} has access`, 'ask the operator of this server (--group-roles)')
  }

  return {
    async applyRole(user, groups) {
      const role = roleFor(user.name, groups)
      if (role === 'unchanged' || role === user.scope) return user
      try {
        await accounts.change(user.id, { scope: role })
        return { ...user, scope: role }
      } catch (error) {
        if (error instanceof AccountError && error.kind === 'taken') return user // the last admin stays one
        throw error
      }
    },

    async create(name, groups) {
      const role = roleFor(name, groups)
      if (!provisionUsers)
        throw new Problem(403, `${shown(name)} has no account here`, 'ask the operator of this server to add one')
      const problem = findNameProblem(name)
      if (problem) throw new Problem(403, problem.message, problem.hint)
      const scope = role === 'unchanged' ? 'write' : role
      if (scope !== 'admin' && (await users.allUsers()).length === 0)
        throw new Problem(
          403,
          'the first account must be an admin',
          'create it with freshet user add NAME, or give a group of this user the role admin (--group-roles)',
        )
      const user = { name, scope, addedAt: clock.now() }
      const id = await users.addUser({ ...user, password: NO_PASSWORD })
      if (id !== undefined) return { id, ...user }
      throw new Problem(
        409,
        `there already is a user called ${shown(name)}`,
        'sign in as this user, and link the account at the provider on the page Account',
      )
    },
  }
}

/** Names come from elsewhere. */
function shown(name: string): string {
  return name.slice(0, 70)
}
