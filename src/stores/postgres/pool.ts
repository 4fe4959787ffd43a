/** Connections to one database: a pool for queries and transactions, and connections outside it. */
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { StoreError } from '../../ports/index.ts'
import { decodeTextColumn } from './columns.ts'
import { isConnectionLost, isLoginRefused } from './errors.ts'

export interface PoolOptions {
  address: string
  connections?: number
  /** How long a refused login is retried after an earlier login succeeded. After that, the store counts as unusable. */
  loginRetryMs?: number
}

const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000
/** Longer than any of our queries takes: after that, the server counts as gone. */
const QUERY_TIMEOUT_MS = 120_000
/** If a changed password is not in our settings within this time, a supervisor has to restart the process. */
const LOGIN_RETRY_MS = 60_000

export interface ConnectionPool {
  /** The address, without the password. */
  readonly name: string
  /** Whether a refused login is retried. Only a process that has logged in before retries: at startup, a wrong password fails at once. */
  mayReturn(): boolean
  /** A broken or discarded connection does not return to the pool. */
  withClient<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool. The caller ends it. */
  connect(): Promise<Client>
  close(): Promise<void>
}

export async function createPool({
  address,
  connections = CONNECTIONS,
  loginRetryMs = LOGIN_RETRY_MS,
}: PoolOptions): Promise<ConnectionPool> {
  const name = displayAddress(address)
  const pg = await loadDriver()
  const config: ClientConfig = {
    connectionString: address,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'freshet',
    types: { getTypeParser: parsers(pg.types.getTypeParser) as never },
  }
  const pool: Pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 30_000, allowExitOnIdle: true })
  pool.on('error', () => {}) // errors of idle connections: the pool replaces them

  let hasLoggedIn = false
  let refusedSince: number | undefined

  async function connectFromPool(): Promise<PoolClient> {
    try {
      const client = await pool.connect()
      hasLoggedIn = true
      refusedSince = undefined
      return client
    } catch (error) {
      if (hasLoggedIn && isLoginRefused(error)) refusedSince ??= performance.now()
      throw error
    }
  }

  function mayReturn(): boolean {
    return refusedSince !== undefined && performance.now() - refusedSince < loginRetryMs
  }

  async function withClient<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await connectFromPool()
    let isBroken = false
    const discard = () => {
      isBroken = true
    }
    client.on('error', discard)
    try {
      return await work(client, discard)
    } catch (error) {
      if (isConnectionLost(error)) discard()
      throw error
    } finally {
      client.off('error', discard)
      client.release(isBroken)
    }
  }

  return {
    name,
    mayReturn,
    withClient,
    async connect() {
      const client = new pg.Client(config)
      await client.connect()
      return client
    },
    close: () => pool.end(),
  }
}

async function loadDriver(): Promise<typeof import('pg').default> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new StoreError(
      'no-access',
      'could not open a store in PostgreSQL: the package pg is not installed',
      'Install it beside Freshet: npm install pg',
      { cause },
    )
  }
}

/** The address without the password, for messages and logs. */
export function displayAddress(address: string): string {
  const url = URL.parse(address)
  if (!url) {
    throw new StoreError(
      'no-access',
      'could not open the store: its address is invalid',
      'Write postgres://user:password@host:5432/database, with special characters of the password as %XX.',
    )
  }
  const user = url.username ? `${url.username}@` : ''
  return `${url.protocol}//${user}${url.host}${url.pathname}`
}

const INT8 = 20
const TEXT = 25
const INT8_ARRAY = 1016

/** Reads bigint as number: none of our values exceeds the safe integers. */
function parsers(defaultParser: (oid: number, format?: never) => unknown) {
  return (oid: number, format: never) => {
    if (oid === INT8) return Number
    if (oid === TEXT) return decodeTextColumn
    const parse = defaultParser(oid, format)
    if (oid === INT8_ARRAY) return (text: string) => (parse as (text: string) => string[])(text).map(Number)
    return parse
  }
}
