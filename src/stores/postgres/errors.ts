/**
 * Translates errors of PostgreSQL, or of the connection to it, into errors with a hint. Most of them are transient: a server restarts, a
 * standby takes over, disk space is freed. Retrying loses nothing, see crawl/retry-transient.
 */
import { StoreError, type StoreErrorKind } from '../../ports/index.ts'

interface ErrorExplanation {
  kind: StoreErrorKind
  what: string
  hint: string
  isTransient?: true
}

const UNREACHABLE: ErrorExplanation = {
  kind: 'no-access',
  what: 'the database server cannot be reached',
  hint: 'Check that the server runs and that the address of the store is right. The request is retried automatically.',
  isTransient: true,
}

const DENIED: ErrorExplanation = {
  kind: 'no-access',
  what: 'the server refuses the login',
  hint: 'Check user and password in the address of the store, and the access rules of the server (pg_hba.conf).',
}

/** By PostgreSQL error codes (appendix A of its manual), or prefixes of them. */
const EXPLANATIONS: [codes: string[], explanation: ErrorExplanation][] = [
  [['28'], DENIED],
  [
    ['3D000'],
    {
      kind: 'missing',
      what: 'the database does not exist',
      hint: 'Create it first, for example with: createdb NAME',
    },
  ],
  [
    ['42501'],
    {
      kind: 'no-access',
      what: 'the user lacks permission',
      hint: 'Make the user the owner of the database or its schema: Freshet creates and alters tables there.',
    },
  ],
  [
    ['25006'],
    {
      kind: 'no-access',
      what: 'the server is read-only at the moment',
      hint: 'Name the primary server, or several with target_session_attrs=read-write.',
      isTransient: true,
    },
  ],
  [
    ['53100', '58030'],
    {
      kind: 'no-access',
      what: 'the disk of the server is full or failing',
      hint: 'Free some space on it. No partial data was written.',
      isTransient: true,
    },
  ],
  [
    ['53'],
    {
      kind: 'no-access',
      what: 'the server has too many connections or too little memory at the moment',
      hint: 'Allow more connections (max_connections), or put pgbouncer in front of it.',
      isTransient: true,
    },
  ],
  [
    ['55P03', '57014', '40'],
    {
      kind: 'in-use',
      what: 'another session holds a lock',
      hint: 'Check what else uses the database (pg_stat_activity). The request is retried automatically.',
      isTransient: true,
    },
  ],
  [['XX001', 'XX002'], { kind: 'not-a-store', what: 'it is damaged', hint: 'Restore it from a backup.' }],
]

/** The server refuses the login. */
export function isLoginRefused(error: unknown): boolean {
  return codeOf(error).startsWith('28')
}

/** A StoreError if the server or the network is the cause; otherwise the error itself. `mayReturn`: a refused login counts as transient. */
export function toPostgresStoreError(
  error: unknown,
  action: 'open' | 'read' | 'write to',
  name: string,
  { mayReturn = false }: { mayReturn?: boolean } = {},
): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const explanation = isConnectionLost(error)
    ? UNREACHABLE
    : EXPLANATIONS.find(([codes]) => codes.some((prefix) => code.startsWith(prefix)))?.[1]
  if (!explanation) return error
  const { kind, what: summary, hint } = explanation
  const isTransient = explanation.isTransient ?? (mayReturn && explanation === DENIED)
  const detail = error instanceof Error ? error.message : String(error)
  return new StoreError(kind, `could not ${action} ${name}: ${summary} (${detail})`, hint, {
    cause: error,
    isTransient,
  })
}

/** Error codes of Node and of the protocol (08). */
const LOST_CODES = [
  'ECONN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  '08',
]
const LOST_SERVER_CODES = ['57P01', '57P02', '57P03', '57P05', '25P03']

/** Messages of the driver that come without a code. */
const LOST_MESSAGES = /terminated|timeout|not queryable|connection (?:error|ended)|client was closed|read timeout/i

/** The connection was lost, or could not be opened. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === '') return error instanceof Error && LOST_MESSAGES.test(error.message)
  return LOST_CODES.some((prefix) => code.startsWith(prefix)) || LOST_SERVER_CODES.includes(code)
}

/** A serialization failure or deadlock: a retry succeeds. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** A unique violation. If another process wrote the row meanwhile, a retry finds it; otherwise it is an internal error. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
