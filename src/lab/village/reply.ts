/** A response of the village before transport. */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Instant } from '../../model/index.ts'
import type { Manner, Packing, ValidatorBehavior } from './spec.ts'

export interface VillageRequest {
  method: string
  /** Absolute. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** Body of a POST. */
  body?: string
}

export interface Reply {
  status: number
  /** Names in lower case; the transport sets the length. */
  headers: Record<string, string>
  body: string | Uint8Array
  manner: Manner
}

export function htmlReply(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body, manner: 'plain' }
}

export function textReply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body, manner: 'plain' }
}

/** Adds validators to a complete response, or returns 304 if those of the request match (RFC 9110, 13.1). */
export function withValidators(
  reply: Reply,
  habit: ValidatorBehavior,
  changedAt: Instant,
  request: VillageRequest,
  at: Instant,
): Reply {
  return orNotModified(withHeaders(reply, validators(reply, habit, changedAt, request, at)), request)
}

/** Returns 304 if the request's conditions match the response's validators. */
export function orNotModified(reply: Reply, { headers: requestHeaders }: VillageRequest): Reply {
  const { 'content-type': _, ...otherHeaders } = reply.headers
  if (reply.status !== 200 || !isUnchanged(requestHeaders, otherHeaders.etag, otherHeaders['last-modified']))
    return reply
  return { status: 304, headers: otherHeaders, body: '', manner: 'plain' }
}

/** The requested part of a file (RFC 9110, 14.2), which players need to seek; unsupported ranges get all of it. */
export function rangeReply(reply: Reply, { headers }: VillageRequest): Reply {
  const [, first, last] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(headers.range ?? '') ?? []
  const { length } = reply.body
  const from = Number(first)
  if (reply.status !== 200 || first === undefined || from >= length || typeof reply.body === 'string')
    return withHeaders(reply, { 'accept-ranges': 'bytes' })
  const to = Math.min(length - 1, last ? Number(last) : length - 1)
  const changes = { 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${to}/${length}` }
  return { ...withHeaders(reply, changes), status: 206, body: reply.body.subarray(from, to + 1) }
}

/** Null removes a header. */
export function withHeaders(reply: Reply, changes: Record<string, string | null>): Reply {
  const allHeaders = Object.entries({ ...reply.headers, ...changes })
  const setHeaders = allHeaders.filter((header): header is [string, string] => header[1] !== null)
  return { ...reply, headers: Object.fromEntries(setHeaders) }
}

export function packReply(reply: Reply, request: VillageRequest, preferred: Packing = 'gzip'): Reply {
  const packing = [preferred, 'gzip' as const].find((candidate) => accepts(candidate, request))
  if (reply.status !== 200 || reply.body.length < MIN_COMPRESSED_BYTES || !packing) return reply
  const headers = { ...reply.headers, 'content-encoding': packing, vary: 'accept-encoding' }
  return { ...reply, headers, body: PACKERS[packing](reply.body) }
}

const MIN_COMPRESSED_BYTES = 500

const PACKERS: Record<Packing, (body: string | Uint8Array) => Uint8Array> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (body) => zstdCompressSync(body),
}

function validators(
  reply: Reply,
  habit: ValidatorBehavior,
  changedAt: Instant,
  request: VillageRequest,
  at: Instant,
): Record<string, string> {
  switch (habit) {
    case 'both':
      return { etag: `"${hashOf(reply)}"`, 'last-modified': httpDate(changedAt) }
    case 'strong':
      return { etag: `"${hashOf(reply)}"` }
    case 'weak':
      return { etag: `W/"${hashOf(reply)}"` }
    case 'date':
      return { 'last-modified': httpDate(changedAt) }
    case 'apache':
      return { etag: `"${hashOf(reply)}${accepts('gzip', request) ? '-gzip' : ''}"` }
    case 'restless':
      return { etag: `"${at.toString(36)}"` }
    case 'lying':
      return { etag: '"always-the-same"' }
    case 'none':
      return {}
  }
}

function hashOf({ body }: Reply): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16)
}

function isUnchanged(
  requestHeaders: Record<string, string>,
  etag: string | undefined,
  lastModified: string | undefined,
): boolean {
  const noneMatch = requestHeaders['if-none-match']
  if (noneMatch !== undefined) {
    const bare = (tag: string): string =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/-gzip"$/, '"')
    return etag !== undefined && noneMatch.split(',').some((tag) => bare(tag) === bare(etag))
  }
  const since = requestHeaders['if-modified-since']
  return since !== undefined && lastModified !== undefined && Date.parse(since) >= Date.parse(lastModified)
}

function accepts(packing: Packing, request: VillageRequest): boolean {
  const accepted = request.headers['accept-encoding']?.split(',') ?? []
  return accepted.some((coding) => coding.trim().split(';', 1)[0] === packing)
}

export function httpDate(at: Instant): string {
  return new Date(at).toUTCString()
}
