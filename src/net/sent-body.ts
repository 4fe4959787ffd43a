/** The body of a request. */
import type { NetPost, NetRequest } from '../ports/index.ts'

export interface SentBody {
  method: 'POST' | 'PUT'
  content: string | Uint8Array
}

/** Undefined for requests without a body. */
export function sentBodyOf(request: NetRequest | NetPost): SentBody | undefined {
  if ('form' in request) return { method: 'POST', content: new URLSearchParams(request.form).toString() }
  if ('binary' in request) return { method: 'POST', content: request.binary.bytes }
  return 'document' in request ? { method: request.method ?? 'POST', content: request.document.text } : undefined
}

export function contentTypeOf(request: NetRequest | NetPost): Record<string, string> {
  if ('form' in request) return { 'content-type': 'application/x-www-form-urlencoded' }
  if ('binary' in request) return { 'content-type': request.binary.type }
  return 'document' in request ? { 'content-type': request.document.type } : {}
}
