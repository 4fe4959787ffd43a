/** Global setup of vitest: starts Cassandra when the first suite asks for it and stops it when the run ends. */
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CassandraNode, startCassandra } from '../tools/cassandra-node.ts'
import { CASSANDRA_REQUEST_FILE } from './cassandra-server.ts'

const LOOKS_EVERY_MS = 100

export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-meeting-'))
  process.env[CASSANDRA_REQUEST_FILE] = folder
  let starting: Promise<CassandraNode | undefined> | undefined

  /** Written in one step, so that no reader sees half of it. */
  function answer(name: 'contact' | 'failed', text: string): void {
    writeFileSync(join(folder, 'half'), text)
    renameSync(join(folder, 'half'), join(folder, name))
  }

  async function start(): Promise<CassandraNode | undefined> {
    try {
      const node = await startCassandra({ heapMegabytes: 384 })
      answer('contact', node.contact)
      return node
    } catch (error) {
      answer('failed', (error as Error).message)
      return undefined
    }
  }

  const looking = setInterval(() => {
    if (!existsSync(join(folder, 'wanted'))) return
    clearInterval(looking)
    starting = start()
  }, LOOKS_EVERY_MS)
  looking.unref()

  return async () => {
    clearInterval(looking)
    await (await starting)?.stop('kill')
    rmSync(folder, { recursive: true, force: true })
  }
}
