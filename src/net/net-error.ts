/**
 * Network errors, described in one phrase. Within this folder they are exceptions, because they occur at any depth; `get` converts them to
 * failure values. Neither contains a path or a password.
 */
import type { Failure, FailureKind } from '../model/index.ts'

export class NetError extends Error {
  readonly failure: Failure

  constructor(kind: FailureKind, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'NetTrouble'
    this.failure = { kind, detail }
  }
}

/** Rethrows errors that are not network errors. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetError) return error.failure
  const first = error instanceof AggregateError ? error.errors[0] : error // one error for each address that was tried
  const { code, address, port } = first as { code?: unknown; address?: string; port?: number }
  if (typeof code !== 'string' || code.startsWith('ERR_INVALID') || code.startsWith('ERR_HTTP_INVALID')) throw error
  const location = address ? `${address.includes(':') ? `[${address}]` : address}:${port}` : 'the server'
  return failureOfCode(code, location)
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? 'unknown')
}

/** 1500 -> "1.5 s" */
export function inSeconds(ms: number): string {
  return `${ms / 1000} s`
}

function failureOfCode(code: string, where: string): Failure {
  switch (code) {
    case 'ECONNREFUSED':
      return { kind: 'unreachable', detail: `connection refused by ${where}` }
    case 'ECONNRESET':
    case 'EPIPE':
      return { kind: 'unreachable', detail: 'the connection was closed before a response arrived' }
    case 'ETIMEDOUT':
      return { kind: 'timeout', detail: `no connection to ${where}` }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return { kind: 'unreachable', detail: `no route to ${where}` }
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
      return { kind: 'internal', detail: `this machine has no more sockets (${code})` }
    case 'HPE_HEADER_OVERFLOW':
      return { kind: 'too-large', detail: 'the headers are too large' }
  }
  const certificate = CERTIFICATES[code]
  if (certificate) return { kind: 'unreachable', detail: certificate }
  if (code.startsWith('HPE_')) return { kind: 'broken-body', detail: 'the response is not HTTP' }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return { kind: 'unreachable', detail: `the TLS handshake failed (${code})` }
  return { kind: 'unreachable', detail: code }
}

const CERTIFICATES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  CERT_REVOKED: 'certificate revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate of an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate of an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown issuer',
}
