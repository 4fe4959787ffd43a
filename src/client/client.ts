/**
 * One function for each operation. What it takes and answers follows from the operation's schemas, by types alone: the table of
 * routes below does not compile when the description has another operation, method or path. It imports nothing at run time.
 */
import type { z } from '@hono/zod-openapi'
import type { Operations, ProblemShape } from '../api/index.ts'

export type Client = { [Name in OperationName]: Call<Operations[Name]> }

export interface ClientOptions {
  /** Where the server is, such as http://127.0.0.1:4747. */
  url: string
  /** Instead of a browser's session. */
  token?: string
}

/** What came in the place of an answer: `message` says what was tried and what came, `hint` what to do. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly hint: string
  /** Absent if no answer came. */
  readonly status: number | undefined
  /** What the server said was wrong, without what was tried. */
  readonly problem: string | undefined

  constructor(message: string, hint: string, more: { status?: number; problem?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.hint = hint
    this.status = more.status
    this.problem = more.problem
  }
}

/** Those that answer with JSON, or with nothing: documents and streams are for other readers. */
type OperationName = {
  [Name in keyof Operations]: AnswersWithDocument<Operations[Name]> extends true ? never : Name
}[keyof Operations]
type AnswersWithDocument<Operation> = Operation extends { responses: { 200: { content: infer Content } } }
  ? 'application/json' extends keyof Content
    ? false
    : true
  : false

type Routes = {
  [Name in OperationName]: readonly [method: Uppercase<Operations[Name]['method']>, path: Operations[Name]['path']]
}

const ROUTES: Routes = {
  getStatus: ['GET', '/api/v1/status'],
  getDiskUsage: ['GET', '/api/v1/status/room'],
  listHosts: ['GET', '/api/v1/hosts'],
  getStatistics: ['GET', '/api/v1/statistics'],
  listFeeds: ['GET', '/api/v1/feeds'],
  getFeed: ['GET', '/api/v1/feeds/{id}'],
  addFeeds: ['POST', '/api/v1/feeds'],
  editFeed: ['PATCH', '/api/v1/feeds/{id}'],
  removeFeed: ['DELETE', '/api/v1/feeds/{id}'],
  pollFeed: ['POST', '/api/v1/feeds/{id}/poll'],
  listEntries: ['GET', '/api/v1/entries'],
  getEntry: ['GET', '/api/v1/entries/{id}'],
  getArticle: ['GET', '/api/v1/entries/{id}/article'],
  getCopies: ['GET', '/api/v1/entries/{id}/copies'],
  getGroupsOfEntry: ['GET', '/api/v1/entries/{id}/groups'],
  listGroups: ['GET', '/api/v1/groups'],
  getGroup: ['GET', '/api/v1/groups/{id}'],
  placeAgain: ['POST', '/api/v1/groups/again'],
  listSubscriptions: ['GET', '/api/v1/subscriptions'],
  addSubscriptions: ['POST', '/api/v1/subscriptions'],
  editSubscription: ['PATCH', '/api/v1/subscriptions/{id}'],
  removeSubscription: ['DELETE', '/api/v1/subscriptions/{id}'],
  listWaitingSubscriptions: ['GET', '/api/v1/subscriptions/waiting'],
  removeWaitingSubscription: ['DELETE', '/api/v1/subscriptions/waiting/{id}'],
  getReading: ['GET', '/api/v1/reading'],
  renameReadingFolder: ['PATCH', '/api/v1/reading/folders/{folder}'],
  markEntries: ['POST', '/api/v1/reading/marks'],
  markAllRead: ['POST', '/api/v1/reading/read'],
  undoMarks: ['POST', '/api/v1/reading/undo'],
  listSearches: ['GET', '/api/v1/searches'],
  addSearch: ['POST', '/api/v1/searches'],
  editSearch: ['PATCH', '/api/v1/searches/{id}'],
  removeSearch: ['DELETE', '/api/v1/searches/{id}'],
  listFeedsOut: ['GET', '/api/v1/feeds-out'],
  addFeedOut: ['POST', '/api/v1/feeds-out'],
  editFeedOut: ['PATCH', '/api/v1/feeds-out/{id}'],
  moveFeedOut: ['POST', '/api/v1/feeds-out/{id}/address'],
  removeFeedOut: ['DELETE', '/api/v1/feeds-out/{id}'],
  listWebhooks: ['GET', '/api/v1/webhooks'],
  addWebhook: ['POST', '/api/v1/webhooks'],
  editWebhook: ['PATCH', '/api/v1/webhooks/{id}'],
  changeWebhookSecret: ['POST', '/api/v1/webhooks/{id}/secret'],
  removeWebhook: ['DELETE', '/api/v1/webhooks/{id}'],
  listSources: ['GET', '/api/v1/sources'],
  getSource: ['GET', '/api/v1/sources/{id}'],
  removeSource: ['DELETE', '/api/v1/sources/{id}'],
  listFolders: ['GET', '/api/v1/folders'],
  wantOfFolder: ['PUT', '/api/v1/folders/{folder}'],
  listPolls: ['GET', '/api/v1/polls'],
  getSession: ['GET', '/api/v1/session'],
  logIn: ['POST', '/api/v1/session'],
  logOut: ['DELETE', '/api/v1/session'],
  setUp: ['POST', '/api/v1/setup'],
  changePassword: ['PUT', '/api/v1/session/password'],
  listPeople: ['GET', '/api/v1/people'],
  addPerson: ['POST', '/api/v1/people'],
  editPerson: ['PATCH', '/api/v1/people/{id}'],
  removePerson: ['DELETE', '/api/v1/people/{id}'],
  listTokens: ['GET', '/api/v1/people/{id}/tokens'],
  addToken: ['POST', '/api/v1/people/{id}/tokens'],
  revokeToken: ['DELETE', '/api/v1/people/{id}/tokens/{token}'],
  listHubs: ['GET', '/api/v1/hubs'],
  listTerminals: ['GET', '/api/v1/terminals'],
}

/** In a query everything is text; whoever asks need not write it so. */
type Written<Given> = { [Name in keyof Given]: Given[Name] | number | boolean }
type Taken<Request> = (Request extends { query: infer Query extends z.ZodType }
  ? { query?: Written<z.input<Query>> }
  : unknown) &
  (Request extends { params: infer Params extends z.ZodType }
    ? { params: { [Name in keyof z.output<Params>]: string | number } }
    : unknown) &
  (Request extends { body: { content: { 'application/json': { schema: infer Body extends z.ZodType } } } }
    ? { body: z.input<Body> }
    : unknown)
type Answered<Responses> = {
  [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends {
    content: { 'application/json': { schema: infer Schema extends z.ZodType } }
  }
    ? z.output<Schema>
    : never
}[keyof Responses & (200 | 201 | 202)]
/** What is answered with nothing is answered with undefined. */
type Answer<Operation> = Operation extends { responses: infer Responses }
  ? [keyof Responses & (200 | 201 | 202)] extends [never]
    ? undefined
    : Answered<Responses>
  : never
type RequestOf<Operation> = Operation extends { request: infer Request } ? Request : unknown
type Call<Operation> =
  RequestOf<Operation> extends { params: unknown } | { body: unknown }
    ? (taken: Taken<RequestOf<Operation>>, signal?: AbortSignal) => Promise<Answer<Operation>>
    : (taken?: Taken<RequestOf<Operation>>, signal?: AbortSignal) => Promise<Answer<Operation>>

/** As every call is seen from inside. */
interface AnyTaken {
  query?: Record<string, string | number | boolean | undefined>
  params?: Record<string, string | number>
  body?: unknown
}

/** A question should be answered soon; a long list of addresses takes the server a while. */
const PATIENCE_MS = 30_000
const PATIENCE_FOR_LISTS_MS = 600_000
const LONG_BODY = 10_000

export function createClient({ url: base, token }: ClientOptions): Client {
  async function call(name: OperationName, { query, params = {}, body }: AnyTaken = {}, signal?: AbortSignal) {
    const [method, path] = ROUTES[name]
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
      base,
    )
    for (const [key, value] of Object.entries(query ?? {}))
      if (value !== undefined && value !== '') url.searchParams.set(key, String(value))
    const text = method === 'GET' ? undefined : JSON.stringify(body ?? {})
    const patience = AbortSignal.timeout((text?.length ?? 0) > LONG_BODY ? PATIENCE_FOR_LISTS_MS : PATIENCE_MS)
    const tried = `${method} ${url}`
    const response = await fetch(url, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
      },
      ...(text !== undefined && { body: text }),
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    }).catch((cause: unknown) => {
      throw new ClientError(`${tried}: no answer came (${reasonOf(cause)})`, 'is Freshet still running there?', {
        cause,
      })
    })
    const answer = response.status === 204 ? undefined : await readJson(response, tried)
    if (response.ok) return answer
    const { title, hint } = (answer ?? {}) as Partial<ProblemShape>
    const { status } = response
    throw new ClientError(
      `${tried}: the server answered ${status}${title ? ` (${title})` : ''}`,
      hint ?? 'is it Freshet, of the same version, that runs there?',
      title === undefined ? { status } : { status, problem: title },
    )
  }

  const calls = Object.keys(ROUTES).map((name) => [
    name,
    (taken?: AnyTaken, signal?: AbortSignal) => call(name as OperationName, taken, signal),
  ])
  return Object.fromEntries(calls) as Client
}

/** Undefined where the server says that there is no such thing. */
export async function ifThere<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ClientError && error.status === 404 && error.problem !== undefined) return undefined
    throw error
  }
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

/** fetch hides what happened behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code === 'ECONNREFUSED' ? 'nobody listens there' : (cause?.message ?? error.message)
}
