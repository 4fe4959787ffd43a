/**
 * HTTP requests. A Net limits everything it receives (time, bytes on the wire, decoded bytes, headers, redirects), refuses addresses that
 * are not public unless they are allowed, and identifies Freshet in the User-Agent.
 */
import type { Failure, FeedCredentials, WebAddress } from '../model/index.ts'

export interface NetRequest {
  url: string
  /**
   * The address given by a user that led to this one, if it is a different one; null: none. Allowed private networks are only visited
   * if the address given by the user is in a private network, too.
   */
  named?: WebAddress | null
  /** In addition to those the Net sends itself (user agent, accepted encodings). Names in lower case. */
  headers?: Record<string, string>
  /** Sent only to the origin of `url`, or to the same host upgraded to https; never to redirect targets. Credentials in `url` are never sent. */
  credentials?: FeedCredentials
  /** Sent like `credentials`, and never archived. Names in lower case. */
  secretHeaders?: Record<string, string>
  /** Sent instead of the Net's own. */
  userAgent?: string
  /** The address of a proxy that a user chose, with its login. It is in a private network only if that network is allowed. */
  proxy?: string
  /** Any certificate of the host of `url` is accepted, and of no other. */
  acceptsInvalidCertificate?: boolean
  /** The number of users the request is made for; sent in the User-Agent if above 0. */
  subscribers?: number
  /** Limit of the decoded body. The driver's own limit applies, too. */
  maxBytes?: number
  /** This much of the decoded body is enough: the rest is not waited for, and the body may end there. */
  enoughBytes?: number
  /** Called before a redirect is followed and before `checkRedirect`. If false, the redirect is the answer, without its body. */
  shouldFollow?: (to: WebAddress) => boolean
  /** Called before a redirect is followed. If it returns a failure, the request fails with it. */
  checkRedirect?: (to: WebAddress) => Promise<Failure | undefined>
  /** Called when the response headers have arrived. If true, the body is not read and is empty in the answer. */
  shouldSkipBody?: (headers: Record<string, string>) => boolean
  /** Called before each request to a server. If true, it is too late: the request is not sent and the visit fails. */
  isLate?: () => boolean
  /** Aborted requests fail with `unreachable`. */
  signal?: AbortSignal
}

/** `retryAfter`: the unparsed header. */
export interface NetRedirect {
  status: number
  to: WebAddress
  retryAfter?: string
}

export type NetAnswer =
  | {
      ok: true
      /** Any status, including 304 and 404. Only followed redirects are not answers. */
      status: number
      /** The target of a redirect that `shouldFollow` rejected. */
      leadsTo?: WebAddress
      /** The address of the response, after redirects. */
      url: WebAddress
      redirects: NetRedirect[]
      /** Names in lower case; repeated headers joined by ", ". */
      headers: Record<string, string>
      /** Decoded and complete; empty for 304. */
      body: Uint8Array
      /** Bytes of the body, as transferred. */
      wireBytes: number
    }
  /** `url`: the address that failed, if redirects had led away from the requested one. */
  | { ok: false; failure: Failure; url?: WebAddress }

/** `type`: the Content-Type. */
export type NetPost = NetRequest &
  (
    | { form: Record<string, string> }
    | {
        document: { type: string; text: string }
        /** POST by default. */
        method?: 'POST' | 'PUT'
      }
    | { binary: { type: string; bytes: Uint8Array } }
  )

/** Returns `ok: false` for any network failure. Throws only for internal errors. */
export interface Net {
  get(request: NetRequest): Promise<NetAnswer>
  /** Sends a form or a document. Only redirects 307 and 308, which repeat the request, are followed; any other redirect is the answer. */
  post(request: NetPost): Promise<NetAnswer>
  /** Closes idle connections. */
  close(): Promise<void>
}
