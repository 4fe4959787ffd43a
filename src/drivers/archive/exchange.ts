/** One request and what came of it, as an archive keeps them. */
import type { Instant, Millis } from '../../model/index.ts'

export interface Exchange {
  /** Without name and password. */
  url: string
  /** When the request was sent. */
  at: Instant
  tookMs?: Millis
  /** Where the redirect stood that led here. */
  via?: string
  /** Of the server. */
  address?: string
  request: {
    headers: readonly Header[]
    /** It was not kept: what is here is what the address says of it. */
    isGuess?: true
  }
  response: {
    status: number
    reason?: string
    protocol?: 'http/1.0' | 'http/1.1' | 'h2'
    /** As they came. */
    headers: readonly Header[]
    /** Without the chunks of its transfer. */
    body: Uint8Array
    /** The body is no longer packed in what `content-encoding` says. */
    isDecoded?: true
    /** Nobody read it: it is that of a redirect. */
    isCut?: true
  }
  /** What else is known of it, as JSON. */
  about?: object
}

export type Header = readonly [name: string, value: string]
