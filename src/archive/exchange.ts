/** A request and its response, for archives. */
import type { Instant, Millis } from '../model/index.ts'

export interface Exchange {
  /** Without credentials. */
  url: string
  /** When the request was sent. */
  at: Instant
  tookMs?: Millis
  /** The address that redirected here. */
  via?: string
  /** The server's IP address. */
  address?: string
  request: {
    headers: readonly Header[]
    /** The request was not stored: the headers are derived from the address. */
    isGuess?: true
  }
  response: {
    status: number
    reason?: string
    protocol?: 'http/1.0' | 'http/1.1' | 'h2'
    /** As received. */
    headers: readonly Header[]
    /** Without transfer encoding. */
    body: Uint8Array
    /** The content encoding has been removed. */
    isDecoded?: true
    /** The body was not read, as for a redirect. */
    isCut?: true
  }
  /** Additional metadata, as JSON. */
  about?: object
}

export type Header = readonly [name: string, value: string]
