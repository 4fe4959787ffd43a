/** Addresses for tests, which are written down and known to be some. */
import { type WebAddress, webAddress } from './address.ts'

export function address(written: string): WebAddress {
  const parsed = webAddress(written)
  if (parsed === undefined) throw new Error(`"${written.slice(0, 100)}" is no address`)
  return parsed
}
