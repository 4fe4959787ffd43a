/** The head of a response, whatever the HTTP version. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Exchange } from '../archive/exchange.ts'

export interface ResponseHead {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Must be read or destroyed. */
  body: Readable
  /** Call at the end of the body: whether it is complete, or the connection broke off. */
  isWhole(): boolean
  /** For archives: the head as received, and the server's address. */
  received(): Received
}

export type Received = Pick<Exchange['response'], 'reason' | 'protocol' | 'headers'> & Pick<Exchange, 'address'>

/** Joins repeated headers, and drops HTTP/2 pseudo-headers. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
