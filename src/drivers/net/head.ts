/** The head of an answer, in whichever version of HTTP it came. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Exchange } from '../archive/exchange.ts'

export interface AnswerHead {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** To be read or destroyed. */
  body: Readable
  /** Asked when the body has ended: whether that was its end, or only that of the connection. */
  isWhole(): boolean
  /** For archives: the head as it came, and from where. */
  received(): Received
}

export type Received = Pick<Exchange['response'], 'reason' | 'protocol' | 'headers'> & Pick<Exchange, 'address'>

/** Repeated headers joined; without those that HTTP/2 uses for itself. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
