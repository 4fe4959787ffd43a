/**
 * Readers, in a process of its own: some poll outgoing feeds, some use the reader protocols, some listen to the stream. Each sends a
 * request, waits, and repeats; reports the time of each response, and every failed one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/client/index.ts'

export interface ReadersGiven {
  url: string
  tokens: string[]
  streams: number
  pauseMs: number
  seconds: number
}

export interface ReadersCame {
  /** Milliseconds of every response, by kind of reader. */
  took: Record<string, number[]>
  errors: string[]
  /** Messages of all streams. */
  messages: number
}

const given: ReadersGiven = JSON.parse(process.argv[2] ?? '{}')
const { url, tokens, streams, pauseMs, seconds } = given
const until = AbortSignal.timeout(seconds * 1000)
const results: ReadersCame = { took: {}, errors: [], messages: 0 }
const STATE = 'user/-/state/com.google/'

async function ask(kind: string, path: string, token: string, init: RequestInit = {}): Promise<Response | undefined> {
  const began = performance.now()
  try {
    const headers = { authorization: `GoogleLogin auth=${token}`, 'x-auth-token': token, ...init.headers }
    const response = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(60_000) })
    const body = await response.arrayBuffer()
    results.took[kind] ??= []
    results.took[kind].push(performance.now() - began)
    if (!response.ok && response.status !== 304) results.errors.push(`${path}: ${response.status}`)
    return new Response(response.status === 304 || response.status === 204 ? null : body, {
      status: response.status,
      headers: response.headers,
    })
  } catch (error) {
    results.errors.push(`${path}: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

const KINDS = [feedsOut, googleReader, miniflux, ownApi]

async function feedsOut(token: string, i: number): Promise<void> {
  let etag: string | undefined
  const format = ['rss', 'atom', 'json'][i % 3]
  while (!until.aborted) {
    const headers = { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) }
    const answer = await ask('feeds out', `/feeds/all.${format}?limit=50`, token, { headers })
    etag = answer?.headers.get('etag') ?? etag
    await rest()
  }
}

async function googleReader(token: string): Promise<void> {
  const at = '/api/greader.php/reader/api/0'
  while (!until.aborted) {
    await ask('Google Reader', `${at}/unread-count?output=json`, token)
    const ids = await ask('Google Reader', `${at}/stream/items/ids?s=${STATE}reading-list&xt=${STATE}read&n=200`, token)
    const { itemRefs = [] } = ((await ids?.json().catch(() => ({}))) ?? {}) as { itemRefs?: { id: string }[] }
    const form = (more: string) => ({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body:
        itemRefs
          .slice(0, 20)
          .map(({ id }) => `i=${id}`)
          .join('&') + more,
    })
    if (itemRefs.length > 0) {
      await ask('Google Reader', `${at}/stream/items/contents`, token, form(''))
      await ask('Google Reader', `${at}/edit-tag`, token, form(`&a=${STATE}read`))
    }
    await rest()
  }
}

async function miniflux(token: string): Promise<void> {
  while (!until.aborted) {
    const answer = await ask('Miniflux', '/v1/entries?status=unread&direction=desc&limit=50', token)
    const { entries = [] } = ((await answer?.json().catch(() => ({}))) ?? {}) as { entries?: { id: number }[] }
    if (entries.length > 0)
      await ask('Miniflux', '/v1/entries', token, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ entry_ids: entries.slice(0, 10).map(({ id }) => id), status: 'read' }),
      })
    await rest()
  }
}

async function ownApi(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  while (!until.aborted) {
    await ask('our API', '/api/v1/entries?limit=50', token, { headers })
    await ask('our API', '/api/v1/entries?q=town&limit=20', token, { headers })
    await rest()
  }
}

async function listen(token: string): Promise<void> {
  const client = createClient({ url, token })
  try {
    for await (const _ of client.openStream({ query: { kinds: 'entries,trouble' } }, until)) results.messages++
    if (!until.aborted) results.errors.push('a stream ended')
  } catch (error) {
    if (!until.aborted) results.errors.push(`stream: ${error instanceof Error ? error.message : error}`)
  }
}

const rest = () => sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: until }).catch(() => {})

await Promise.all([
  ...tokens.map(async (token, i) => {
    await rest()
    await KINDS[i % KINDS.length]!(token, i)
  }),
  ...Array.from({ length: streams }, (_, i) => listen(tokens[i % tokens.length]!)),
])
process.send?.(results, () => process.exit())
