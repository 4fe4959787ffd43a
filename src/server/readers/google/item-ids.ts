/**
 * Entry ids as the Google Reader API has them: 64 bits, in a long form (a tag with sixteen hexadecimal digits) and in a short one (a
 * signed decimal number). Clients send either, whatever they were given.
 */
import type { EntryId } from '../../../model/index.ts'
import type { Form } from '../form.ts'

const TAG = 'tag:google.com,2005:reader/item/'

export function longItemId(id: EntryId): string {
  return TAG + id.toString(16).padStart(16, '0')
}

/** Undefined if it cannot be an id of ours. */
export function entryIdIn(text: string): EntryId | undefined {
  const hex = text.startsWith(TAG) ? text.slice(TAG.length) : /^[0-9a-f]{16}$/i.test(text) ? text : undefined
  const isNumber = hex === undefined ? /^\d{1,16}$/.test(text) : /^[0-9a-f]{1,16}$/i.test(hex)
  const number = isNumber ? Number(hex === undefined ? text : `0x${hex}`) : Number.NaN
  return Number.isSafeInteger(number) && number > 0 ? (number as EntryId) : undefined
}

/** The entries that a request names by `i`. */
export function itemIdsIn(form: Form): EntryId[] {
  return form
    .all('i')
    .map(entryIdIn)
    .filter((id) => id !== undefined)
}
