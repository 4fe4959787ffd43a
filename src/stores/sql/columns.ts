/**
 * Parses columns that hold addresses or JSON. Rows may be damaged, or written by an older, less strict version: a value that cannot be
 * parsed is treated as absent, so one row never breaks others.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'

/**
 * Parses an address that must be present. An invalid one becomes an address that never resolves (RFC 2606): visits fail like others, so
 * the row is shown with its failure, and users can correct or remove it.
 */
export function requiredAddress(text: string): WebAddress {
  return (
    webAddress(text) ?? webAddress(`http://unreadable.invalid/?${new URLSearchParams({ was: text.slice(0, 200) })}`)!
  )
}

export function optionalAddress(text: string | null | undefined): WebAddress | undefined {
  return webAddress(text ?? undefined)
}

/** Undefined for NULL and for invalid JSON. */
export function parseJsonColumn<T>(text: string | null | undefined): T | undefined {
  if (text === null || text === undefined) return undefined
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}
