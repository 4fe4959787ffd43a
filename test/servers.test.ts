/**
 * With `TESTS_NEED=servers npm test`, no suite may be skipped because a server is missing. Otherwise skipped suites state the reason in
 * their name, and this one lists what is missing.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { whyNoTestCassandra } from './cassandra-server.ts'
import { COMPOSE, KUBERNETES_VALIDATE, PROMTOOL, SYSTEMD_ANALYZE } from './deploy-tools.ts'
import { NATS_BINARY } from './nats-server.ts'
import { PGBOUNCER_BINARY } from './pgbouncer.ts'
import { postgresForTests } from './postgres-server.ts'

test.runIf(process.env.TESTS_NEED === 'servers')(
  'PostgreSQL, NATS, Cassandra, pgbouncer, newsboat and the validators for deploy/ are installed, so that nothing is skipped',
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
