/**
 * One Cassandra for all suites of a run, for it takes a quarter of a minute to start: the first that wants it says so by a file, the run
 * itself starts it (test/cassandra-for-run.ts), and stops it at its end. Where the environment names one (FRESHET_TEST_CASSANDRA, a
 * host and its port), that. Where none can be had, the reason is said, and suites that need one are skipped by it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { whyNoCassandra } from '../tools/cassandra-node.ts'

/** Where the run and its suites meet. */
export const MEETING = 'FRESHET_CASSANDRA_MEETING'

export const whyNoTestCassandra = process.env.FRESHET_TEST_CASSANDRA ? undefined : whyNoCassandra()

/** For the name of a suite. */
export const onCassandra = `on a real Cassandra${whyNoTestCassandra ? ` (${whyNoTestCassandra})` : ''}`

/** Host and port of one that runs until the end of the run. Keyspaces are the suite's own to name. */
export async function cassandraForTests(): Promise<string> {
  const given = process.env.FRESHET_TEST_CASSANDRA
  if (given) return given
  const folder = process.env[MEETING]
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
