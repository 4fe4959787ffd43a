/**
 * Columns whose text must be read before it means anything: addresses, and JSON. Rows may have been written by an older
 * version, which was less strict, or be damaged: a part that cannot be read is absent, and harms no other row.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'

/**
 * The address that a row stands for. One that is none any more becomes an address that nobody has (RFC 2606): visits to
 * it fail like others, so its owner is shown with its trouble, and can be given another or removed.
 */
export function ownAddress(text: string): WebAddress {
  return (
    webAddress(text) ?? webAddress(`http://unreadable.invalid/?${new URLSearchParams({ was: text.slice(0, 200) })}`)!
  )
}

/** One that may be missing. */
export function addressIn(text: string | null | undefined): WebAddress | undefined {
  return webAddress(text ?? undefined)
}

/** Undefined for NULL, and for what is no JSON. */
export function jsonInColumn<T>(text: string | null | undefined): T | undefined {
  if (text === null || text === undefined) return undefined
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}
