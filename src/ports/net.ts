/**
 * The way out. A Net bounds everything that comes from outside (time, bytes on the wire, bytes once decoded, headers,
 * redirects), refuses addresses that are not public unless it was allowed them, and names us honestly to the server.
 */
import type { Credentials, Failure, WebAddress } from '../model/index.ts'

export interface NetRequest {
  url: string
  /**
   * The address that a person named and that led here, if it is not this one; null: nobody did. Networks that are not public
   * are visited, where that was allowed, only from an address that a person named and that stands in one itself.
   */
  named?: WebAddress | null
  /** Beside those that the Net sends by itself (user agent, accepted encodings). Names in lower case. */
  headers?: Record<string, string>
  /** Sent to the origin of `url` (or to its host made safe), and to nobody that it redirects to. One in `url` is never sent. */
  credentials?: Credentials
  /** For how many people we ask; told in the user agent when there are any. */
  subscribers?: number
  /** Of the decoded body; the driver's own limit holds as well. */
  maxBytes?: number
  /** Of the decoded body, so much is enough: what comes after it is not waited for, and the body may end there. */
  enoughBytes?: number
  /** Asked before a redirect is followed, before `forbids`: if not, the redirect is the answer, without its body. */
  follows?: (to: WebAddress) => boolean
  /** Asked before a redirect is followed: why it must not be. The visit then ends with that failure. */
  forbids?: (to: WebAddress) => Promise<Failure | undefined>
  /** Asked when the head of an answer is there: true, and the body is not read; it is empty then. */
  skipsBody?: (headers: Record<string, string>) => boolean
  /** Asked whenever something is about to be said to a server: whether it is too late for that. Then it is not, and the visit fails. */
  isLate?: () => boolean
  /** An aborted request answers with the failure `unreachable`. */
  signal?: AbortSignal
}

/** `retryAfter`: the header of that name, as it came. */
export interface NetRedirect {
  status: number
  to: WebAddress
  retryAfter?: string
}

export type NetAnswer =
  | {
      ok: true
      /** Any status at all, 304 and 404 included; only redirects that were followed are not answers. */
      status: number
      /** Where a redirect leads that was not to be followed (`follows`). */
      leadsTo?: WebAddress
      /** Where the answer came from, after redirects. */
      url: WebAddress
      redirects: NetRedirect[]
      /** Names in lower case; repeated headers joined by ", ". */
      headers: Record<string, string>
      /** Decoded, whole; empty for 304. */
      body: Uint8Array
      /** Bytes of the body as they came over the wire. */
      wireBytes: number
    }
  /** `url`: where that happened, if redirects had led away from the address that was asked for. */
  | { ok: false; failure: Failure; url?: WebAddress }

/** `type`: what the document is, as the header has it. */
export type NetPost = NetRequest & ({ form: Record<string, string> } | { document: { type: string; text: string } })

/** Answers `ok: false` for whatever a network does to us; throws only for our own mistakes. */
export interface Net {
  get(request: NetRequest): Promise<NetAnswer>
  /** Sends a form, or a document. Only 307 and 308 are followed, which ask for the same again; every other redirect is the answer. */
  post(request: NetPost): Promise<NetAnswer>
  /** Ends kept connections. */
  close(): Promise<void>
}
