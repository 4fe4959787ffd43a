/** Parses entry numbers given on the command line. */
import { InputError } from '../app/index.ts'
import type { EntryId } from '../model/index.ts'

export function parseEntryId(word: string): EntryId {
  const [, digits] = /^e?(\d{1,15})$/i.exec(word) ?? []
  if (digits === undefined || Number(digits) === 0)
    throw new InputError(`"${word}" is not an entry number`, 'freshet entries lists entries with their numbers')
  return Number(digits) as EntryId
}
