/**
 * A typed API client: one function per operation, with parameter and result types derived from the operation's schemas. Exports and the
 * event stream are async iterables. Also runs in browsers.
 */
import type { z } from '@hono/zod-openapi'
import type {
  EntryShape,
  GroupEventShape,
  Operations,
  PollEventShape,
  ProblemShape,
  TroubleEventShape,
} from '../api/index.ts'
import { type FormOf, type OperationName, ROUTES } from './routes.ts'

export type Client = { [Name in OperationName]: Call<Operations[Name]> }

export interface ClientOptions {
  /** The server, such as http://127.0.0.1:4747. */
  url: string
  /** In place of a browser session. */
  token?: string
  /** User to act as, where the token is the local key of the server. */
  person?: string
  /** Sends requests to a server in this process. Time limits do not apply then. */
  fetch?: (url: string, init: RequestInit) => Response | Promise<Response>
}

/** A failed request: `message` says what was tried and what failed, `hint` what to do. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly hint: string
  /** Absent if there was no response. */
  readonly status: number | undefined
  /** The problem as stated by the server, without what was tried. */
  readonly problem: string | undefined

  constructor(message: string, hint: string, more: { status?: number; problem?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.hint = hint
    this.status = more.status
    this.problem = more.problem
  }
}

/** `id`: the last entry so far; pass it as `after` to continue. */
export type StreamMessage = { id: number } & (
  | { kind: 'entry'; data: EntryShape }
  | { kind: 'story'; data: GroupEventShape }
  | { kind: 'poll'; data: PollEventShape }
  | { kind: 'trouble'; data: TroubleEventShape }
  /** The listener was too slow and has to reconnect. */
  | { kind: 'cut'; data: { words: string; hint: string } }
  /** Heartbeat of an idle stream. */
  | { kind: 'beat' }
)

/** Query parameters are text; numbers and booleans are converted. */
type Written<Given> = { [Name in keyof Given]: Given[Name] | number | boolean }
type Taken<Request> = (Request extends { query: infer Query extends z.ZodType }
  ? { query?: Written<z.input<Query>> }
  : unknown) &
  (Request extends { params: infer Params extends z.ZodType }
    ? { params: { [Name in keyof z.output<Params>]: string | number } }
    : unknown) &
  (Request extends { body: { content: { 'application/json': { schema: infer Body extends z.ZodType } } } }
    ? { body: z.input<Body> }
    : Request extends { body: { content: { 'text/x-opml': unknown } } }
      ? { body: string }
      : unknown)
type Answered<Responses> = {
  [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends {
    content: { 'application/json': { schema: infer Schema extends z.ZodType } }
  }
    ? z.output<Schema>
    : never
}[keyof Responses & (200 | 201 | 202)]
/** Undefined for responses without content. */
type Answer<Operation> = Operation extends { responses: infer Responses }
  ? [keyof Responses & (200 | 201 | 202)] extends [never]
    ? undefined
    : Answered<Responses>
  : never
type RequestOf<Operation> = Operation extends { request: infer Request } ? Request : unknown
type Outcome<Operation> = {
  json: Promise<Answer<Operation>>
  lines: AsyncIterable<string>
  messages: AsyncIterable<StreamMessage>
  document: never
}[FormOf<Operation>]
type Call<Operation> =
  RequestOf<Operation> extends { params: unknown } | { body: unknown }
    ? (taken: Taken<RequestOf<Operation>>, signal?: AbortSignal) => Outcome<Operation>
    : (taken?: Taken<RequestOf<Operation>>, signal?: AbortSignal) => Outcome<Operation>

/** The parameters of any call, for the implementation. */
interface AnyTaken {
  query?: Record<string, string | number | boolean | undefined>
  params?: Record<string, string | number>
  body?: unknown
}

/** Most responses come soon; a long list of addresses takes the server a while. */
const PATIENCE_MS = 30_000
const PATIENCE_FOR_LISTS_MS = 600_000
const LONG_BODY = 10_000

const LONGEST_LINE = 64 * 1024 * 1024
/** The server sends a heartbeat every twenty seconds. */
const SILENCE_MS = 60_000
const KINDS: readonly string[] = ['entry', 'story', 'poll', 'trouble', 'cut']

export function createClient({ url: base, token, person, fetch: fetchInProcess }: ClientOptions): Client {
  const request = async (url: string, init: RequestInit) => (fetchInProcess ?? fetch)(url, init)
  const isTimed = fetchInProcess === undefined

  /** Throws on error responses. */
  async function send(name: OperationName, { query, params = {}, body }: AnyTaken, signal: AbortSignal | undefined) {
    const [method, path] = ROUTES[name]
    const url = new URL(
      base.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
    )
    for (const [key, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value))
    const isOpml = typeof body === 'string'
    const text = method === 'GET' ? undefined : isOpml ? body : JSON.stringify(body ?? {})
    const tried = `${method} ${url}`
    const init: RequestInit = {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(person && { 'freshet-person': encodeURIComponent(person) }),
        ...(text !== undefined && { 'content-type': isOpml ? 'text/x-opml' : 'application/json' }),
      },
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    }
    const response = await request(url.href, init).catch((cause: unknown) => {
      throw new ClientError(`${tried}: no answer came (${reasonOf(cause)})`, 'is Freshet still running there?', {
        cause,
      })
    })
    if (!response.ok) throw await problemIn(response, tried)
    return { response, tried }
  }

  async function call(name: OperationName, taken: AnyTaken = {}, signal?: AbortSignal) {
    const isLong = JSON.stringify(taken.body ?? '').length > LONG_BODY
    const timeLimit = isTimed && AbortSignal.timeout(isLong ? PATIENCE_FOR_LISTS_MS : PATIENCE_MS)
    const { response, tried } = await send(
      name,
      taken,
      signal && timeLimit ? AbortSignal.any([signal, timeLimit]) : signal || timeLimit || undefined,
    )
    return response.status === 204 ? undefined : readJson(response, tried)
  }

  /** Only the start has a time limit. */
  async function* flow<Part>(
    name: OperationName,
    taken: AnyTaken = {},
    signal: AbortSignal | undefined,
    partsIn: (response: Response, tried: string, isTimed: boolean) => AsyncIterable<Part>,
  ): AsyncGenerator<Part> {
    const ended = new AbortController()
    const tooLong = () => ended.abort(new DOMException('too long', 'TimeoutError'))
    const patience = isTimed ? setTimeout(tooLong, PATIENCE_MS) : undefined
    try {
      const { response, tried } = await send(
        name,
        taken,
        signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
      )
      clearTimeout(patience)
      yield* partsIn(response, tried, isTimed)
    } finally {
      clearTimeout(patience)
      ended.abort()
    }
  }

  const calls = Object.entries(ROUTES).map(([name, [, , form]]) => [
    name,
    (taken?: AnyTaken, signal?: AbortSignal) => {
      if (form === 'lines') return flow(name as OperationName, taken, signal, linesIn)
      if (form === 'messages') return flow(name as OperationName, taken, signal, messagesIn)
      return call(name as OperationName, taken, signal)
    },
  ])
  return Object.fromEntries(calls) as Client
}

/** Undefined if the server answers that it does not exist. */
export async function ifThere<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ClientError && error.status === 404 && error.problem !== undefined) return undefined
    throw error
  }
}

async function problemIn(response: Response, tried: string): Promise<ClientError> {
  const { title, hint } = ((await readJson(response, tried)) ?? {}) as Partial<ProblemShape>
  const { status } = response
  return new ClientError(
    `${tried}: the server answered ${status}${title ? ` (${title})` : ''}`,
    hint ?? 'is it Freshet, of the same version, that runs there?',
    title === undefined ? { status } : { status, problem: title },
  )
}

async function readJson(response: Response, tried: string): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ClientError(`${tried}: the answer is not JSON`, 'is it Freshet that runs there?', {
      status: response.status,
      cause,
    })
  }
}

/** Unwraps the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code === 'ECONNREFUSED' ? 'nobody listens there' : (cause?.message ?? error.message)
}

async function* linesIn(response: Response, tried: string, isTimed: boolean): AsyncGenerator<string> {
  for await (const { line, isWhole } of rawLinesIn(response, tried, isTimed)) {
    if (!isWhole) throw brokeOff(tried, 'the last line is not whole')
    if (line !== '') yield line
  }
}

async function* messagesIn(response: Response, tried: string, isTimed: boolean): AsyncGenerator<StreamMessage> {
  let id = 0
  let kind = ''
  let data = ''
  let hasContent = false
  for await (const { line } of rawLinesIn(response, tried, isTimed)) {
    const [, field = '', value = ''] = /^(\w*):? ?(.*)$/s.exec(line) ?? []
    if (line !== '') hasContent = true
    if (field === 'id' && /^\d{1,16}$/.test(value)) id = Number(value)
    else if (field === 'event') kind = value
    else if (field === 'data') data = value
    if (line !== '' || !hasContent) continue
    if (KINDS.includes(kind) && data !== '') yield { id, kind, data: asJson(data, tried) } as StreamMessage
    else yield { id, kind: 'beat' }
    kind = ''
    data = ''
    hasContent = false
  }
}

async function* rawLinesIn(
  response: Response,
  tried: string,
  isTimed: boolean,
): AsyncGenerator<{ line: string; isWhole: boolean }> {
  let rest = ''
  for await (const text of textIn(response, tried, isTimed)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE)
      throw new ClientError(`${tried}: a line has no end`, 'is it Freshet that runs there?')
    for (const line of lines) yield { line, isWhole: true }
  }
  if (rest !== '') yield { line: rest, isWhole: false }
}

async function* textIn(response: Response, tried: string, isTimed: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const part = await readPart(reader, tried, isTimed)
      if (!part || part.done) return
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

async function readPart(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, tried: string, isTimed: boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    if (isTimed) timer = setTimeout(() => reject(brokeOff(tried, 'nothing came for a minute')), SILENCE_MS)
  })
  try {
    return await Promise.race([reader?.read(), silence])
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    throw brokeOff(tried, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    clearTimeout(timer)
  }
}

function asJson(text: string, tried: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ClientError(`${tried}: a message is not JSON`, 'is it Freshet that runs there?', { cause })
  }
}

function brokeOff(tried: string, how: string, cause?: unknown): ClientError {
  return new ClientError(`${tried}: the answer broke off (${how})`, 'ask again', { cause })
}
