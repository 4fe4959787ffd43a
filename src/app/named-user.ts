/** The user that `--user` names. */
import type { PersonId } from '../model/index.ts'
import type { People } from '../ports/index.ts'
import { InputError } from './addresses.ts'

export async function namedUser(name: string, people: People): Promise<PersonId> {
  const user = await people.personNamed(name)
  if (user) return user.id
  throw new InputError(`there is no user "${name}"`, 'freshet user list shows all users')
}
