/**
 * A typed API client: one function per operation, with parameter and result types derived from the operation's schemas. Exports and the
 * event stream are async iterables. Also runs in browsers.
 */
import type { z } from '@hono/zod-openapi'
import type {
  ArticleEventShape,
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
  user?: string
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
  /** What the user has to do first. */
  readonly needs: ProblemShape['needs']

  constructor(
    message: string,
    hint: string,
    more: { status?: number; problem?: string; needs?: ProblemShape['needs']; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.hint = hint
    this.status = more.status
    this.problem = more.problem
    this.needs = more.needs
  }
}

/** `id`: the last entry so far; pass it as `after` to continue. */
export type StreamMessage = { id: number } & (
  | { kind: 'entry'; data: EntryShape }
  | { kind: 'article'; data: ArticleEventShape }
  | { kind: 'story'; data: GroupEventShape }
  | { kind: 'poll'; data: PollEventShape }
  | { kind: 'trouble'; data: TroubleEventShape }
  /** The listener was too slow and has to reconnect. */
  | { kind: 'cut'; data: { words: string; hint: string } }
  /** Heartbeat of an idle stream. */
  | { kind: 'heartbeat' }
)

/** Query parameters are text; numbers and booleans are converted. */
type QueryInput<Given> = { [Name in keyof Given]: Given[Name] | number | boolean }
type CallInput<Request> = (Request extends { query: infer Query extends z.ZodType }
  ? { query?: QueryInput<z.input<Query>> }
  : unknown) &
  (Request extends { params: infer Params extends z.ZodType }
    ? { params: { [Name in keyof z.output<Params>]: string | number } }
    : unknown) &
  (Request extends { body: { content: { 'application/json': { schema: infer Body extends z.ZodType } } } }
    ? { body: z.input<Body> }
    : Request extends { body: { content: { 'text/x-opml': unknown } } }
      ? { body: string }
      : Request extends { body: { content: { 'application/octet-stream': unknown } } }
        ? { body: Blob }
        : unknown)
type SuccessBody<Responses> = {
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
    : SuccessBody<Responses>
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
    ? (input: CallInput<RequestOf<Operation>>, signal?: AbortSignal) => Outcome<Operation>
    : (input?: CallInput<RequestOf<Operation>>, signal?: AbortSignal) => Outcome<Operation>

/** The parameters of any call, for the implementation. */
interface AnyCallInput {
  query?: Record<string, string | number | boolean | undefined>
  params?: Record<string, string | number>
  body?: unknown
}

/** Most responses come soon; a long list of addresses takes the server a while. */
const TIMEOUT_MS = 30_000
const LONG_TIMEOUT_MS = 600_000
const LONG_BODY = 10_000

const MAX_LINE_LENGTH = 64 * 1024 * 1024
/** The server sends a heartbeat every twenty seconds. */
const IDLE_TIMEOUT_MS = 60_000
const KINDS: readonly string[] = ['entry', 'article', 'story', 'poll', 'trouble', 'cut']

export function createClient({ url: base, token, user, fetch: fetchInProcess }: ClientOptions): Client {
  const request = async (url: string, init: RequestInit) => (fetchInProcess ?? fetch)(url, init)
  const isTimed = fetchInProcess === undefined

  /** Throws on error responses. */
  async function send(
    name: OperationName,
    { query, params = {}, body }: AnyCallInput,
    signal: AbortSignal | undefined,
  ) {
    const [method, path] = ROUTES[name]
    const url = new URL(
      base.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
    )
    for (const [key, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value))
    const content = method === 'GET' ? undefined : contentOf(body)
    const target = `${method} ${url}`
    const init: RequestInit = {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(user && { 'freshet-user': encodeURIComponent(user) }),
        ...(content && { 'content-type': content.type }),
      },
      ...(content && { body: content.body }),
      ...(signal && { signal }),
    }
    const response = await request(url.href, init).catch((cause: unknown) => {
      throw new ClientError(`${target}: no response (${reasonOf(cause)})`, 'check that Freshet is running there', {
        cause,
      })
    })
    if (!response.ok) throw await problemIn(response, target)
    return { response, target }
  }

  async function call(name: OperationName, input: AnyCallInput = {}, signal?: AbortSignal) {
    const isLong = input.body instanceof Blob || JSON.stringify(input.body ?? '').length > LONG_BODY
    const timeLimit = isTimed && AbortSignal.timeout(isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS)
    const { response, target } = await send(
      name,
      input,
      signal && timeLimit ? AbortSignal.any([signal, timeLimit]) : signal || timeLimit || undefined,
    )
    return response.status === 204 ? undefined : readJson(response, target)
  }

  /** Only the start has a time limit. */
  async function* stream<Part>(
    name: OperationName,
    input: AnyCallInput = {},
    signal: AbortSignal | undefined,
    partsIn: (response: Response, target: string, isTimed: boolean) => AsyncIterable<Part>,
  ): AsyncGenerator<Part> {
    const ended = new AbortController()
    const abortOnTimeout = () => ended.abort(new DOMException('timed out', 'TimeoutError'))
    const timeout = isTimed ? setTimeout(abortOnTimeout, TIMEOUT_MS) : undefined
    try {
      const { response, target } = await send(
        name,
        input,
        signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
      )
      clearTimeout(timeout)
      yield* partsIn(response, target, isTimed)
    } finally {
      clearTimeout(timeout)
      ended.abort()
    }
  }

  const calls = Object.entries(ROUTES).map(([name, [, , form]]) => [
    name,
    (input?: AnyCallInput, signal?: AbortSignal) => {
      if (form === 'lines') return stream(name as OperationName, input, signal, linesIn)
      if (form === 'messages') return stream(name as OperationName, input, signal, messagesIn)
      return call(name as OperationName, input, signal)
    },
  ])
  return Object.fromEntries(calls) as Client
}

/** Files are sent as they are. */
function contentOf(body: unknown): { type: string; body: string | Blob } {
  if (body instanceof Blob) return { type: 'application/octet-stream', body }
  if (typeof body === 'string') return { type: 'text/x-opml', body }
  return { type: 'application/json', body: JSON.stringify(body ?? {}) }
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

async function problemIn(response: Response, target: string): Promise<ClientError> {
  const { title, hint, needs } = ((await readJson(response, target)) ?? {}) as Partial<ProblemShape>
  const { status } = response
  return new ClientError(
    `${target}: the server answered ${status}${title ? ` (${title})` : ''}`,
    hint ?? 'check that Freshet runs there, in the same version',
    title === undefined ? { status } : { status, problem: title, ...(needs && { needs }) },
  )
}

async function readJson(response: Response, target: string): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ClientError(`${target}: the response is not JSON`, 'check that Freshet runs at this address', {
      status: response.status,
      cause,
    })
  }
}

/** Unwraps the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'timed out'
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code === 'ECONNREFUSED' ? 'connection refused' : (cause?.message ?? error.message)
}

async function* linesIn(response: Response, target: string, isTimed: boolean): AsyncGenerator<string> {
  for await (const { line, isComplete } of rawLinesIn(response, target, isTimed)) {
    if (!isComplete) throw connectionLost(target, 'the last line is incomplete')
    if (line !== '') yield line
  }
}

async function* messagesIn(response: Response, target: string, isTimed: boolean): AsyncGenerator<StreamMessage> {
  let id = 0
  let kind = ''
  let data = ''
  let hasContent = false
  for await (const { line } of rawLinesIn(response, target, isTimed)) {
    const [, field = '', value = ''] = /^(\w*):? ?(.*)$/s.exec(line) ?? []
    if (line !== '') hasContent = true
    if (field === 'id' && /^\d{1,16}$/.test(value)) id = Number(value)
    else if (field === 'event') kind = value
    else if (field === 'data') data = value
    if (line !== '' || !hasContent) continue
    if (KINDS.includes(kind) && data !== '') yield { id, kind, data: asJson(data, target) } as StreamMessage
    else yield { id, kind: 'heartbeat' }
    kind = ''
    data = ''
    hasContent = false
  }
}

async function* rawLinesIn(
  response: Response,
  target: string,
  isTimed: boolean,
): AsyncGenerator<{ line: string; isComplete: boolean }> {
  let rest = ''
  for await (const text of textIn(response, target, isTimed)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_LENGTH)
      throw new ClientError(`${target}: a line is too long`, 'check that Freshet runs at this address')
    for (const line of lines) yield { line, isComplete: true }
  }
  if (rest !== '') yield { line: rest, isComplete: false }
}

async function* textIn(response: Response, target: string, isTimed: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const part = await readPart(reader, target, isTimed)
      if (!part || part.done) return
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

async function readPart(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, target: string, isTimed: boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const idle = new Promise<never>((_, reject) => {
    if (isTimed) timer = setTimeout(() => reject(connectionLost(target, 'no data for a minute')), IDLE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([reader?.read(), idle])
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    throw connectionLost(target, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    clearTimeout(timer)
  }
}

function asJson(text: string, target: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ClientError(`${target}: a message is not JSON`, 'check that Freshet runs at this address', { cause })
  }
}

function connectionLost(target: string, reason: string, cause?: unknown): ClientError {
  return new ClientError(`${target}: the response ended early (${reason})`, 'try again', { cause })
}
