/**
 * Converts an exchange to WARC records: request, response (or revisit, which refers to an earlier response and has only the head), and
 * metadata.
 */
import type { Exchange, Header } from './exchange.ts'
import { digestOf, fieldsBlock, serializeHead, type WarcRecord } from './warc-record.ts'

/** A previously written response. */
export interface EarlierRecord {
  id: string
  url: string
  date: string
  digest: string
}

export interface RecordParts {
  /** Returns a new `<urn:uuid:…>`. */
  newId: () => string
  /** Id of the file's warcinfo record. */
  infoId: string
  /** The last response of this address, and any response with this body. */
  earlierResponse: {
    ofUrl(url: string): EarlierRecord | undefined
    ofDigest(digest: string): EarlierRecord | undefined
  }
}

export function exchangeRecords(exchange: Exchange, { newId, infoId, earlierResponse }: RecordParts): WarcRecord[] {
  const { url, at, address, response } = exchange
  const target: Header[] = [
    ['WARC-Target-URI', url],
    ['WARC-Warcinfo-ID', infoId],
  ]
  const answerId = newId()
  const requestId = newId()
  const digest = digestOf(response.body)
  const earlierRecord =
    response.status === 304
      ? earlierResponse.ofUrl(url)
      : response.body.length > 0
        ? earlierResponse.ofDigest(digest)
        : undefined
  const isRevisit = response.status === 304 || earlierRecord !== undefined
  const head = responseHead(response)
  const answer: WarcRecord = {
    type: isRevisit ? 'revisit' : 'response',
    id: answerId,
    at,
    contentType: 'application/http; msgtype=response',
    fields: [
      ...target,
      ['WARC-Concurrent-To', requestId],
      ...protocolFields(response.protocol),
      ...(address ? [['WARC-IP-Address', address] as const] : []),
      ...(isRevisit ? revisitFields(response.status, earlierRecord) : []),
      ...(response.isCut ? [['WARC-Truncated', 'unspecified'] as const] : []),
      ...payloadField(isRevisit ? earlierRecord?.digest : response.isCut ? undefined : digest),
    ],
    block: isRevisit ? head : Buffer.concat([head, response.body]),
  }
  const request: WarcRecord = {
    type: 'request',
    id: requestId,
    at,
    contentType: 'application/http; msgtype=request',
    fields: [...target, ['WARC-Concurrent-To', answerId]],
    block: requestHead(exchange),
  }
  return [request, answer, ...metadataRecords(exchange, newId(), [...target, ['WARC-Concurrent-To', answerId]])]
}

/** The response that later exchanges can refer to; undefined for a revisit. */
export function earlierResponseOf(records: readonly WarcRecord[]): EarlierRecord | undefined {
  const response = records.find(({ type }) => type === 'response')
  const url = response && fieldOf(response, 'WARC-Target-URI')
  const digest = response && fieldOf(response, 'WARC-Payload-Digest')
  return url && digest ? { id: response.id, url, date: new Date(response.at).toISOString(), digest } : undefined
}

function fieldOf({ fields }: WarcRecord, fieldName: string): string | undefined {
  return fields.find(([name]) => name === fieldName)?.[1]
}

function requestHead({ url, request }: Exchange): Uint8Array {
  const { pathname, search, host } = new URL(url)
  const headers = request.headers.filter(([name]) => !SECRET.test(name))
  return serializeHead(`GET ${pathname}${search} HTTP/1.1`, headers.length > 0 ? headers : [['Host', host]])
}

const SECRET = /^(?:proxy-)?authorization$/i

/**
 * The headers as received, except those about the transfer: since chunks are joined, they are renamed as by other crawlers (Nutch, Common
 * Crawl), and Content-Length is that of the stored body.
 */
function responseHead({ status, reason = '', protocol, headers, body, isDecoded }: Exchange['response']): Uint8Array {
  const version = protocol === 'http/1.0' ? 'HTTP/1.0' : 'HTTP/1.1' // for compatibility with readers; WARC-Protocol has the actual one
  const storedHeaders = headers.map(([name, value]): Header => {
    const isAside =
      /^(?:transfer-encoding|content-length)$/i.test(name) || (isDecoded === true && /^content-encoding$/i.test(name))
    return [isAside ? `X-Crawler-${name}` : name, value]
  })
  const hasBody = status !== 304 && status !== 204
  return serializeHead(`${version} ${status} ${reason}`.trimEnd(), [
    ...storedHeaders,
    ...(hasBody ? [['Content-Length', String(body.byteLength)] as const] : []),
  ])
}

function protocolFields(protocol: Exchange['response']['protocol']): Header[] {
  return protocol ? [['WARC-Protocol', protocol]] : []
}

function payloadField(digest: string | undefined): Header[] {
  return digest === undefined ? [] : [['WARC-Payload-Digest', digest]]
}

const PROFILES = 'http://netpreserve.org/warc/1.1/revisit'

function revisitFields(status: number, earlierRecord: EarlierRecord | undefined): Header[] {
  return [
    ['WARC-Profile', `${PROFILES}/${status === 304 ? 'server-not-modified' : 'identical-payload-digest'}`],
    ...(earlierRecord
      ? ([
          ['WARC-Refers-To', earlierRecord.id],
          ['WARC-Refers-To-Target-URI', earlierRecord.url],
          ['WARC-Refers-To-Date', earlierRecord.date],
        ] as const)
      : []),
  ]
}

function metadataRecords(exchange: Exchange, id: string, fields: readonly Header[]): WarcRecord[] {
  const { at, tookMs, via, request, about } = exchange
  const lines: Header[] = [
    ...(via ? [['via', via] as const] : []),
    ...(tookMs === undefined ? [] : [['fetchTimeMs', String(tookMs)] as const]),
    ...(request.isGuess ? [['request', 'not kept; made from the address'] as const] : []),
    ...(about ? [['about', JSON.stringify(about)] as const] : []),
  ]
  if (lines.length === 0) return []
  return [{ type: 'metadata', id, at, contentType: 'application/warc-fields', fields, block: fieldsBlock(lines) }]
}
