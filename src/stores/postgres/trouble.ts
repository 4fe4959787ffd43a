/**
 * What PostgreSQL, or the way to it, says when something is wrong, put as people need it. Most of it passes: a server is started
 * again, a standby takes over, a disk is given room. Whoever waits loses nothing, see crawl/retry-transient.
 */
import { StoreError, type StoreTrouble } from '../../ports/index.ts'

interface Saying {
  trouble: StoreTrouble
  what: string
  hint: string
  isPassing?: true
}

const UNREACHABLE: Saying = {
  trouble: 'no-access',
  what: 'the database server cannot be reached',
  hint: 'See that the server runs and that the address of the store names it; it is asked again by itself.',
  isPassing: true,
}

const DENIED: Saying = {
  trouble: 'no-access',
  what: 'the server does not let us in',
  hint: 'See that user and password in the address of the store are right, and what the server allows (pg_hba.conf).',
}

/** By codes of PostgreSQL (its appendix A), or by their first letters. */
const SAYINGS: [codes: string[], saying: Saying][] = [
  [['28'], DENIED],
  [
    ['3D000'],
    {
      trouble: 'missing',
      what: 'there is no such database',
      hint: 'Make it first, for instance by: createdb NAME',
    },
  ],
  [
    ['42501'],
    {
      trouble: 'no-access',
      what: 'the user may not do this',
      hint: 'Let the user own the database, or its schema: tables are made and changed there.',
    },
  ],
  [
    ['25006'],
    {
      trouble: 'no-access',
      what: 'the server may only be read at the moment',
      hint: 'Name the primary server, or several with target_session_attrs=read-write.',
      isPassing: true,
    },
  ],
  [
    ['53100', '58030'],
    {
      trouble: 'no-access',
      what: 'the disk of the server is full, or fails',
      hint: 'Make room there; nothing was written halfway.',
      isPassing: true,
    },
  ],
  [
    ['53'],
    {
      trouble: 'no-access',
      what: 'the server has no room for us at the moment',
      hint: 'Allow more connections (max_connections), or put pgbouncer in front of it.',
      isPassing: true,
    },
  ],
  [
    ['55P03', '57014', '40'],
    {
      trouble: 'in-use',
      what: 'others keep locked what is needed',
      hint: 'See what else works on the database (pg_stat_activity); it is tried again by itself.',
      isPassing: true,
    },
  ],
  [['XX001', 'XX002'], { trouble: 'not-a-store', what: 'it is damaged', hint: 'Restore it from a backup.' }],
]

/** The server refuses our login. */
export function isLoginRefused(error: unknown): boolean {
  return codeOf(error).startsWith('28')
}

/** A StoreError if the world is to blame; else the error as it was. `mayReturn`: a refused login is tried again. */
export function troubleInWords(
  error: unknown,
  doing: 'open' | 'read' | 'write to',
  name: string,
  { mayReturn = false }: { mayReturn?: boolean } = {},
): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const saying = isLost(error)
    ? UNREACHABLE
    : SAYINGS.find(([codes]) => codes.some((known) => code.startsWith(known)))?.[1]
  if (!saying) return error
  const { trouble, what, hint } = saying
  const isPassing = saying.isPassing ?? (mayReturn && saying === DENIED)
  const said = error instanceof Error ? error.message : String(error)
  return new StoreError(trouble, `could not ${doing} ${name}: ${what} (${said})`, hint, { cause: error, isPassing })
}

/** Of Node, of the wire (08), and of a server that stops or has only just begun. */
const LOST = ['ECONN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '08']
const LOST_BY_SERVER = ['57P01', '57P02', '57P03', '57P05', '25P03']

/** What the driver says without a code. */
const LOST_WORDS = /terminated|timeout|not queryable|connection (?:error|ended)|client was closed|read timeout/i

/** The connection is gone, or there never was one. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === '') return error instanceof Error && LOST_WORDS.test(error.message)
  return LOST.some((known) => code.startsWith(known)) || LOST_BY_SERVER.includes(code)
}

/** Two were in each other's way: who tries again gets through. */
export function isInTheWay(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Something of this name is there. If another wrote it meanwhile, who tries again finds it; else it stays a mistake. */
export function isThereAlready(error: unknown): boolean {
  return codeOf(error) === '23505'
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
