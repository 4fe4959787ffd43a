/** Whose things the command line means: those of who is named, else of the first person. */
import type { PersonId } from '../model/index.ts'
import type { People } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'

export async function personMeant({ person }: Pick<Config, 'person'>, people: People): Promise<PersonId> {
  if (person === '') return people.firstPerson()
  const meant = await people.personNamed(person)
  if (meant) return meant.id
  throw new InputError(`nobody is called "${person}" here`, 'freshet user list names those who are')
}
