/** The head of an answer, in whichever version of HTTP it came. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

export interface Head {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** To be read or destroyed. */
  body: Readable
  /** Asked when the body has ended: whether that was its end, or only that of the connection. */
  isWhole(): boolean
}

/** Repeated headers joined; without those that HTTP/2 uses for itself. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
