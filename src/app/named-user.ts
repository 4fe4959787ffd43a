/** Finds the user of `--user`. */
import type { UserId } from '../model/index.ts'
import type { Users } from '../ports/index.ts'
import { InputError } from './addresses.ts'

export async function findUser(name: string, users: Users): Promise<UserId> {
  const user = await users.userByName(name)
  if (user) return user.id
  throw new InputError(`there is no user "${name}"`, 'freshet user list shows all users')
}
