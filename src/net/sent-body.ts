/** The body of a request. */
import type { NetPost, NetRequest } from '../ports/index.ts'

export interface SentBody {
  method: 'POST' | 'PUT'
  text: string
}

/** Undefined for requests without a body. */
export function sentBodyOf(request: NetRequest | NetPost): SentBody | undefined {
  if ('form' in request) return { method: 'POST', text: new URLSearchParams(request.form).toString() }
  return 'document' in request ? { method: request.method ?? 'POST', text: request.document.text } : undefined
}

export function contentTypeOf(request: NetRequest | NetPost): Record<string, string> {
  if ('form' in request) return { 'content-type': 'application/x-www-form-urlencoded' }
  return 'document' in request ? { 'content-type': request.document.type } : {}
}
