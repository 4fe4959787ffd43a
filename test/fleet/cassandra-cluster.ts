/**
 * Three Cassandra nodes on loopback with replication factor 3, and faults for one of them. Each has separate addresses for clients and
 * peers, so it can be cut off from its peers alone; the last one has a small disk that can be filled.
 *
 * What a node itself stores is queried while it is isolated: a quorum of the others would hide missing data.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, errors, policies, types } from 'cassandra-driver'
import { type CassandraNode, startCassandra } from '../../tools/cassandra-node.ts'
import { freePort } from '../../tools/free-port.ts'
import type { SmallDisk } from '../small-disk.ts'
import { makeReachable, makeUnreachable } from '../unreachable-address.ts'
import { until } from './fleet-harness.ts'

const MACHINES = 3
const HEAP_MB = 400
/** Tokens that divide the ring into three equal parts. */
const TOKENS = ['-9223372036854775808', '-3074457345618258603', '3074457345618258602']
const KEYSPACE = 'soak'
const TIMEOUT_MS = 180_000
const UNAVAILABLE = 0x1000

export type Rows = ReadonlySet<string>

export interface CassandraCluster {
  /** As the `--content-store` option expects it. */
  contentStore: string
  count: number
  kill(n: number): Promise<void>
  begin(n: number): Promise<void>
  freeze(n: number): void
  thaw(n: number): void
  /** Cuts it off from its peers, and waits until it considers them down. Clients still reach it. */
  cut(n: number): Promise<void>
  join(n: number): Promise<void>
  /** Fills the disk of the last node; resolves when it has run out of space. */
  fill(): Promise<void>
  free(): void
  /** The last lines of `nodetool repair`. */
  repair(n: number): Promise<string>
  /** Keys of all rows of all tables, read from all nodes together. */
  rows(): Promise<Rows>
  /** Keys that one node has itself; it must be cut off. */
  rowsOf(n: number): Promise<Rows>
  /** The last lines of each node's log. */
  lastWords(): string
  close(): Promise<void>
}

export async function startCassandraCluster(disk?: SmallDisk): Promise<CassandraCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-machines-'))
  const [port, storagePort] = [await freePort(), await freePort()]
  const machines: CassandraNode[] = []
  const folderOf = (n: number) => join(n === MACHINES - 1 && disk ? disk.folder : folder, `machine${n + 1}`)
  const logOf = (n: number) => readFileSync(join(folderOf(n), 'node.log'), 'utf8')
  const hostOf = (n: number) => `127.0.0.${n + 1}`
  const peerHostOf = (n: number) => `127.0.1.${n + 1}`
  const endAll = () => {
    for (const machine of machines) machine.signal('SIGKILL')
  }
  process.on('exit', endAll)

  async function begin(n: number): Promise<void> {
    const [seed, token] = [peerHostOf(0), TOKENS[n]!]
    const among = { host: hostOf(n), peerHost: peerHostOf(n), storagePort, seed, token }
    machines[n] = await startCassandra({ folder: folderOf(n), heapMegabytes: HEAP_MB, port, among })
  }

  /** A client of one node only, with this consistency level. */
  async function withClient<T>(n: number, work: (client: Client) => Promise<T>): Promise<T> {
    const contact = `${hostOf(n)}:${port}`
    const near = new policies.loadBalancing.DCAwareRoundRobinPolicy('datacenter1')
    const client = new Client({
      contactPoints: [contact],
      localDataCenter: 'datacenter1',
      policies: {
        loadBalancing: new policies.loadBalancing.AllowListPolicy(near, [contact]),
        retry: new policies.retry.FallthroughRetryPolicy(), // errors are returned as they are
      },
      socketOptions: { readTimeout: 20_000 },
      pooling: { heartBeatInterval: 0 },
    })
    try {
      return await work(client)
    } finally {
      await client.shutdown()
    }
  }

  /** Waits until it sees only itself (`alone`), or all nodes. */
  async function sees(n: number, wanted: 'alone' | 'all'): Promise<boolean> {
    const consistency = wanted === 'alone' ? types.consistencies.two : types.consistencies.all
    try {
      await withClient(n, (client) =>
        client.execute(`SELECT part FROM ${KEYSPACE}.texts WHERE name = 'nobody'`, [], { consistency }),
      )
      return wanted === 'all'
    } catch (error) {
      return wanted === 'alone' && error instanceof errors.ResponseError && error.code === UNAVAILABLE
    }
  }

  const untilSees = (n: number, wanted: 'alone' | 'all') =>
    until(
      () => sees(n, wanted),
      TIMEOUT_MS,
      () => `machine ${n + 1} has not seen itself ${wanted === 'all' ? 'among all' : 'alone'}`,
    )

  async function keysFrom(n: number, consistency: types.consistencies): Promise<Rows> {
    return await withClient(n, async (client) => {
      const found = new Set<string>()
      for (const [table, columns] of await keyColumns(client)) {
        const query = `SELECT ${columns.join(', ')} FROM ${KEYSPACE}.${table}`
        for await (const row of await client.execute(query, [], { consistency, prepare: true, fetchSize: 500 }))
          found.add([table, ...columns.map((column) => String(row.get(column)))].join(' '))
      }
      return found
    })
  }

  for (let n = 0; n < MACHINES; n++) await begin(n)
  return {
    contentStore: `cassandra://${machines.map(({ contact }) => contact).join(',')}/${KEYSPACE}?copies=${MACHINES}`,
    count: MACHINES,
    kill: (n) => machines[n]!.stop('kill'),
    begin,
    freeze: (n) => machines[n]!.signal('SIGSTOP'),
    thaw: (n) => machines[n]!.signal('SIGCONT'),
    async cut(n) {
      makeUnreachable(peerHostOf(n))
      await untilSees(n, 'alone')
    },
    async join(n) {
      makeReachable(peerHostOf(n))
      await untilSees(n, 'all')
    },
    async fill() {
      const n = MACHINES - 1
      const before = logOf(n).length
      disk!.fill()
      // If its commit log is memory-mapped, the process dies at the first page that does not fit on the disk (SIGBUS).
      const isMet = () =>
        !machines[n]!.isAlive() || /No space left|Insufficient disk space/i.test(logOf(n).slice(before))
      await until(isMet, TIMEOUT_MS, () => 'the machine has not met the end of its disk')
    },
    free: () => disk!.free(),
    async repair(n) {
      await untilSees(n, 'all')
      return (await machines[n]!.tool('repair', '--full', KEYSPACE)).trim().split('\n').at(-1) ?? ''
    },
    rows: () => keysFrom(0, types.consistencies.quorum),
    rowsOf: (n) => keysFrom(n, types.consistencies.one),
    lastWords: () =>
      machines.map((_, n) => `machine ${n + 1}:\n${logOf(n).trim().split('\n').slice(-15).join('\n')}`).join('\n'),
    async close() {
      for (let n = 0; n < MACHINES; n++) makeReachable(peerHostOf(n))
      for (const machine of machines) {
        machine.signal('SIGCONT')
        await machine.stop('kill')
      }
      process.off('exit', endAll)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function keyColumns(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.execute(
    'SELECT table_name, column_name, kind FROM system_schema.columns WHERE keyspace_name = ?',
    [KEYSPACE],
    { prepare: true },
  )
  const tables = new Map<string, string[]>()
  for (const row of rows) {
    const [table, column, kind] = [row.get('table_name'), row.get('column_name'), row.get('kind')] as string[]
    if (kind !== 'regular') tables.set(table!, [...(tables.get(table!) ?? []), column!])
  }
  return tables
}
