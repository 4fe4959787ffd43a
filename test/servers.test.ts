/**
 * Where every suite has to run, none may be skipped because a server is missing: `TESTS_NEED=servers npm test` says so. Elsewhere
 * those suites say by their names why they were skipped, and this one only tells what is missing.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { whyNoTestCassandra } from './cassandra-server.ts'
import { COMPOSE, KUBERNETES_VALIDATE, PROMTOOL, SYSTEMD_ANALYZE } from './deploy-tools.ts'
import { NATS_BINARY } from './nats-server.ts'
import { PGBOUNCER_BINARY } from './pgbouncer.ts'
import { postgresForTests } from './postgres-server.ts'

test.runIf(process.env.TESTS_NEED === 'servers')(
  'PostgreSQL, NATS, Cassandra, pgbouncer, newsboat and what checks deploy/ are here, so that nothing is skipped',
  async () => {
    const { server, reason } = await postgresForTests()
    await server?.close()
    expect(reason).toBeUndefined()
    expect(whyNoTestCassandra).toBeUndefined()
    expect(NATS_BINARY).toBeDefined()
    expect(PGBOUNCER_BINARY).toBeDefined()
    expect([PROMTOOL, KUBERNETES_VALIDATE, SYSTEMD_ANALYZE, COMPOSE]).not.toContain(undefined)
    expect(spawnSync('newsboat', ['--version']).status).toBe(0)
  },
)
