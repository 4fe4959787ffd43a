/**
 * The API, asked from another process: what the command line uses when a running crawl owns the store. It answers as the
 * crawl itself would (false or undefined for what is not there) and throws a ClientError for everything else.
 */
import type { Address, WrittenEdit } from '../crawl/index.ts'
import { HintedError, MINUTE, SECOND, type Wants } from '../model/index.ts'
import type {
  EntryShape,
  FeedShape,
  PollShape,
  SourceShape,
  StatusShape,
  SubscriptionShape,
  WholeFeedShape,
} from '../views/index.ts'

export interface Client {
  status(): Promise<StatusShape>
  feeds(query?: Query): Promise<{ feeds: FeedShape[]; more: boolean }>
  feed(id: number): Promise<WholeFeedShape | undefined>
  entries(query?: Query): Promise<{ entries: EntryShape[]; more: boolean }>
  polls(query?: Query): Promise<{ polls: PollShape[]; more: boolean }>
  sources(query?: Query): Promise<{ sources: SourceShape[]; more: boolean }>
  source(id: number): Promise<SourceShape | undefined>
  /** Answers in the order of `addresses`. */
  subscribe(addresses: Address[]): Promise<SubscriptionShape[]>
  edit(id: number, edit: WrittenEdit): Promise<boolean>
  want(folder: string, wants: Wants): Promise<void>
  placeAgain(): Promise<number>
  pause(id: number): Promise<boolean>
  resume(id: number): Promise<boolean>
  remove(id: number): Promise<boolean>
  pollNow(id: number): Promise<{ dueAt: string; why?: string } | undefined>
  removeSource(id: number): Promise<boolean>
}

/** The parameters that the route of the same name takes. */
type Query = Record<string, string | number | boolean>

/** What came in the place of an answer. */
export class ClientError extends HintedError {}

/** A long list of addresses takes the server a while; one address, or a question, should not. */
const PATIENCE_MS = 30 * SECOND
const PATIENCE_FOR_LISTS_MS = 10 * MINUTE
/** Far below what the server takes in one body, whatever the addresses are. */
const PIECE = 5000

export function createClient(baseUrl: string): Client {
  function ask<Answer>(path: string, query: Query = {}): Promise<Answer | undefined> {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    return call('GET', parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`)
  }

  /** Undefined when the server says that there is no such thing. */
  async function call<Answer>(
    method: string,
    path: string,
    body?: unknown,
    patienceMs = PATIENCE_MS,
  ): Promise<Answer | undefined> {
    const url = new URL(path, baseUrl).href
    const tried = `${method} ${url}`
    const response = await fetch(url, {
      method,
      ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(patienceMs),
    }).catch((cause: unknown) => {
      throw new ClientError(`${tried}: no answer came (${reasonOf(cause)})`, 'is Freshet still running there?', {
        cause,
      })
    })
    const text = await response.text()
    if (response.ok) return (text === '' ? {} : parse(text, tried)) as Answer
    const told = (parse(text, tried) ?? {}) as { error?: string; hint?: string }
    if (response.status === 404 && told.error) return undefined
    throw new ClientError(
      `${tried}: the server answered ${response.status}${told.error ? ` (${told.error})` : ''}`,
      told.hint ?? 'is it Freshet that runs there?',
    )
  }

  async function must<Answer>(answer: Promise<Answer | undefined>): Promise<Answer> {
    const value = await answer
    if (value !== undefined) return value
    throw new ClientError(
      `the server at ${baseUrl} does not know the question`,
      'is it of another version than this command?',
    )
  }

  const done = async (answer: Promise<unknown>) => (await answer) !== undefined

  return {
    status: () => must(ask<StatusShape>('/api/status')),
    feeds: (query) => must(ask('/api/feeds', query)),
    feed: (id) => ask(`/api/feeds/${id}`),
    entries: (query) => must(ask('/api/entries', query)),
    polls: (query) => must(ask('/api/polls', query)),
    sources: (query) => must(ask('/api/sources', query)),
    source: (id) => ask(`/api/sources/${id}`),
    async subscribe(addresses) {
      const results: SubscriptionShape[] = []
      for (let from = 0; from < addresses.length; from += PIECE) {
        const body = { addresses: addresses.slice(from, from + PIECE) }
        const answer = call<{ results: SubscriptionShape[] }>('POST', '/api/feeds', body, PATIENCE_FOR_LISTS_MS)
        results.push(...(await must(answer)).results)
      }
      return results
    },
    edit: (id, edit) => done(call('PATCH', `/api/feeds/${id}`, edit)),
    want: async (folder, wants) => void (await must(call('PUT', `/api/folders/${encodeURIComponent(folder)}`, wants))),
    placeAgain: async () => (await must(call<{ waiting: number }>('POST', '/api/groups/again'))).waiting,
    pause: (id) => done(call('PATCH', `/api/feeds/${id}`, { state: 'paused' })),
    resume: (id) => done(call('PATCH', `/api/feeds/${id}`, { state: 'active' })),
    remove: (id) => done(call('DELETE', `/api/feeds/${id}`)),
    pollNow: (id) => call('POST', `/api/feeds/${id}/poll`),
    removeSource: (id) => done(call('DELETE', `/api/sources/${id}`)),
  }
}

function parse(text: string, tried: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ClientError(`${tried}: the answer is not JSON`, 'is it Freshet that runs there?', { cause })
  }
}

/** fetch hides what happened behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return cause?.code === 'ECONNREFUSED' ? 'nobody listens there' : (cause?.message ?? error.message)
}
