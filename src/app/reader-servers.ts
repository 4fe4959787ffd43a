/**
 * Downloads subscriptions and read and starred entries from a server: Miniflux's own API, or the Google Reader API of FreshRSS and others.
 * Redirects are not followed, because they would send the token elsewhere. All answers and numbers are limited.
 */
import { readFile } from 'node:fs/promises'
import { collectJson, createReaderDataCollector, type ReaderData } from '../feeds/index.ts'
import { MINUTE, SECOND } from '../model/index.ts'
import { inSlices } from '../runtime/index.ts'
import { InputError, readAll } from './addresses.ts'

export const READER_SERVERS = ['miniflux', 'greader'] as const
export type ReaderServer = (typeof READER_SERVERS)[number]

interface Download {
  signal: AbortSignal
  progress: (done: number, of: number) => void
}

const TIMEOUT_MS = MINUTE
const MAX_ANSWER_BYTES = 50_000_000
const MAX_TOKEN_BYTES = 10_000
/** Only the newest read entries can still be in a feed. */
const MAX_STARRED = 20_000
const MAX_READ = 10_000
const PAGE = 250
const IDS_PAGE = 1000

/** The content of the token file: a token, or for the Google Reader API a user name and password with a colon in between. */
export async function readTokenFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new InputError(`${file} cannot be read`, 'give --token-file a file that contains the API token')
  })
  const token = bytes.length > MAX_TOKEN_BYTES ? '' : bytes.toString('utf8').trim()
  if (token === '' || /[\r\n]/.test(token))
    throw new InputError(`${file} does not contain a token`, 'it must have one line: the API token, or user:password')
  return token
}

export function downloadReaderData(
  server: ReaderServer,
  url: string,
  token: string,
  download: Download,
): Promise<ReaderData> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new InputError(`"${url}" is not the address of a server`, 'give an address such as https://reader.example')
  const base = url.replace(/\/+$/, '')
  return server === 'miniflux' ? fromMiniflux(base, token, download) : fromGoogleReader(base, token, download)
}

async function fromMiniflux(given: string, token: string, { signal, progress }: Download): Promise<ReaderData> {
  const base = given.replace(/\/v1$/, '')
  const collector = createReaderDataCollector()
  const get = (path: string) => fetchJson(`${base}/v1/${path}`, { headers: { 'x-auth-token': token } }, signal)
  await inSlices(collectJson(await get('feeds'), collector))
  for (const [filter, most] of [
    ['starred=true', MAX_STARRED],
    ['status=read', MAX_READ],
  ] as const) {
    for (let offset = 0; offset < most; offset += PAGE) {
      const page = await get(`entries?${filter}&order=published_at&direction=desc&limit=${PAGE}&offset=${offset}`)
      await inSlices(collectJson(page, collector))
      const { total = 0, entries = [] } = page as { total?: number; entries?: unknown[] }
      progress(Math.min(offset + PAGE, total), Math.min(total, most))
      if (!Array.isArray(entries) || entries.length < PAGE) break
    }
  }
  return collector.data()
}

const STREAMS = [
  { query: 's=user/-/state/com.google/starred', state: 'user/-/state/com.google/starred', most: MAX_STARRED },
  // Servers that do not know `it` return unread entries, too; their categories say so.
  { query: 's=user/-/state/com.google/reading-list&it=user/-/state/com.google/read', state: '', most: MAX_READ },
]

async function fromGoogleReader(given: string, token: string, { signal, progress }: Download): Promise<ReaderData> {
  const base = given.replace(/\/reader(\/api(\/0)?)?$/, '')
  const authorization = `GoogleLogin auth=${await logIn(base, token, signal)}`
  const call = (path: string, body?: URLSearchParams) => {
    const init = { headers: { authorization }, ...(body && { method: 'POST', body }) }
    return fetchJson(`${base}/reader/api/0/${path}`, init, signal)
  }
  const collector = createReaderDataCollector()
  await inSlices(collectJson(await call('subscription/list?output=json'), collector))
  for (const { query, state, most } of STREAMS) {
    const ids: string[] = []
    for (let continuation = ''; ids.length < most; ) {
      const page = (await call(
        `stream/items/ids?${query}&n=${IDS_PAGE}&output=json${continuation && `&c=${encodeURIComponent(continuation)}`}`,
      )) as { itemRefs?: { id?: unknown }[]; continuation?: unknown }
      const more = Array.isArray(page.itemRefs) ? page.itemRefs.flatMap(({ id }) => (id ? [String(id)] : [])) : []
      ids.push(...more)
      if (more.length === 0 || !page.continuation || page.continuation === continuation) break
      continuation = String(page.continuation)
    }
    for (let i = 0; i < Math.min(ids.length, most); i += PAGE) {
      const body = new URLSearchParams([
        ['output', 'json'],
        ...ids.slice(i, i + PAGE).map((id): [string, string] => ['i', id]),
      ])
      const answer = (await call('stream/items/contents', body)) as object
      await inSlices(collectJson({ ...answer, id: state }, collector))
      progress(Math.min(i + PAGE, ids.length), ids.length)
    }
  }
  return collector.data()
}

async function logIn(base: string, secret: string, signal: AbortSignal): Promise<string> {
  const colon = secret.indexOf(':')
  if (colon < 0) return secret
  const body = new URLSearchParams({
    Email: secret.slice(0, colon),
    Passwd: secret.slice(colon + 1),
    accountType: 'HOSTED',
  })
  const text = await fetchText(`${base}/accounts/ClientLogin`, { method: 'POST', body }, signal)
  const auth = /^Auth=(\S+)$/m.exec(text)?.[1]
  if (auth === undefined) throw new InputError(`${base} did not accept the login`, 'check user name and API password')
  return auth
}

async function fetchJson(url: string, init: RequestInit, signal: AbortSignal): Promise<unknown> {
  const text = await fetchText(url, init, signal)
  try {
    return JSON.parse(text)
  } catch {
    throw new InputError(`${withoutQuery(url)} did not answer with JSON`, 'check the address of the API')
  }
}

async function fetchText(url: string, init: RequestInit, signal: AbortSignal): Promise<string> {
  const where = withoutQuery(url)
  const timed = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(url, { ...init, redirect: 'manual', signal: timed }).catch((error: unknown) => {
    const reason = timed.aborted ? `no answer within ${TIMEOUT_MS / SECOND} seconds` : reasonOf(error)
    throw new InputError(`could not reach ${where}: ${reason}`, 'check the address, and that the server runs')
  })
  const { status } = response
  if (status >= 300 && status < 400)
    throw new InputError(`${where} redirects to another address`, 'give the address that it redirects to')
  if (status === 401 || status === 403)
    throw new InputError(
      `${where} did not accept the token (${status})`,
      'create an API token there, and check --token-file',
    )
  if (!response.ok) throw new InputError(`${where} answered ${status}`, 'check the address of the API')
  return Buffer.from(await readAll(response.body ?? empty(), where, MAX_ANSWER_BYTES)).toString('utf8')
}

async function* empty(): AsyncGenerator<Uint8Array> {}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  return cause?.code === 'ECONNREFUSED' ? 'connection refused' : (cause?.message ?? message ?? String(error))
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
