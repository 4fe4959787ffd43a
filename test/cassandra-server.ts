/**
 * One Cassandra server for all suites of a run, because it takes 15 s to start. The first suite that needs it creates a request file; the
 * global setup (test/cassandra-for-run.ts) starts the server and stops it when the run ends. FRESHET_TEST_CASSANDRA (host:port) names a
 * running server instead. If no server is available, the suites that need it are skipped with the reason.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { whyNoCassandra } from '../tools/cassandra-node.ts'

/** The folder that the run and its suites share. */
export const CASSANDRA_REQUEST_FILE = 'FRESHET_CASSANDRA_MEETING'

export const whyNoTestCassandra = process.env.FRESHET_TEST_CASSANDRA ? undefined : whyNoCassandra()

/** For the name of a suite. */
export const onCassandra = `on a real Cassandra${whyNoTestCassandra ? ` (${whyNoTestCassandra})` : ''}`

/** Host and port of a server that runs until the end of the run. Each suite chooses its own keyspace name. */
export async function cassandraForTests(): Promise<string> {
  const given = process.env.FRESHET_TEST_CASSANDRA
  if (given) return given
  const folder = process.env[CASSANDRA_REQUEST_FILE]
  if (!folder) throw new Error('the run has no place to meet: is test/cassandra-for-run.ts in vitest.config.ts?')
  writeFileSync(join(folder, 'wanted'), '')
  for (;;) {
    for (const [name, say] of ANSWERS) {
      const file = join(folder, name)
      if (existsSync(file)) return say(readFileSync(file, 'utf8'))
    }
    await setTimeout(100)
  }
}

const ANSWERS: [string, (text: string) => string][] = [
  ['contact', (contact) => contact],
  [
    'failed',
    (words) => {
      throw new Error(words)
    },
  ],
]
