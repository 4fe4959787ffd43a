/** The table of settings by role matches what each role reads when it is opened. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openController, openFetcher, openFleetServer, openIndexer } from '../../src/app/fleet/index.ts'
import { type Config, createLog, defaultConfig, type OptionName } from '../../src/app/index.ts'
import { type FleetRoleName, optionsOf } from '../../src/app/role-options.ts'
import { startServer } from '../../src/app/serve.ts'
import { NATS_BINARY, type NatsServer, startNatsServer } from '../nats-server.ts'
import { postgresForTests } from '../postgres-server.ts'

const { server: postgres, reason } = NATS_BINARY
  ? await postgresForTests()
  : { server: undefined, reason: 'there is no nats-server on this machine' }

/** Inserted into addresses when settings are read, or read by the command itself. */
const ELSEWHERE: readonly OptionName[] = ['storePassword', 'queuePassword', 'log', 'logFormat']
/** A controller receives these like every crawler, and leaves their work to indexers. Fetchers bound the tasks in flight. */
const UNUSED: readonly OptionName[] = [
  ...['copies', 'copyThreshold', 'stories', 'storyThreshold', 'groupWindow', 'groupMemory'],
  ...['keepEntries', 'keepPolls', 'keepArticles', 'keepPages', 'maxPagesSize', 'concurrency'],
] as OptionName[]

describe.skipIf(!postgres)(`settings by role${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let nats: NatsServer
  let store: string
  beforeAll(async () => {
    nats = await startNatsServer()
    store = await postgres!.freshStore()
  })
  afterAll(async () => {
    await nats?.close()
    await postgres?.close()
  })

  async function readBy(open: (config: Config) => Promise<() => Promise<unknown>>): Promise<Set<OptionName>> {
    const read = new Set<OptionName>()
    const given: Config = {
      ...defaultConfig(),
      store,
      queue: nats.url,
      port: 0,
      publicUrl: 'https://a.example',
      smtpHost: 'a.example',
    }
    const config = new Proxy(given, {
      get(target, name) {
        read.add(name as OptionName)
        return target[name as OptionName]
      },
    })
    await (await open(config))()
    return read
  }

  function expectTable(role: FleetRoleName, read: Set<OptionName>): void {
    const listed = optionsOf(role).filter((name) => !ELSEWHERE.includes(name))
    expect([...read].sort()).toEqual(listed.sort())
  }

  const ended = AbortSignal.abort()
  const log = createLog({ level: 'silent', format: 'text', now: Date.now, write: () => {} })

  it('is complete for controllers', async () => {
    const read = await readBy(async (config) => {
      const role = await openController(config, () => {})
      await role.run(ended)
      return () => role.close(0)
    })
    for (const name of UNUSED) read.delete(name)
    expectTable('controller', read)
  })

  it('is complete for fetchers', async () => {
    const read = await readBy(async (config) => {
      const role = await openFetcher(config, () => {})
      return () => role.run(ended)
    })
    expectTable('fetcher', read.add('archiveFileSize')) // read only with an archive
  })

  it('is complete for indexers', async () => {
    const read = await readBy(async (config) => {
      const role = await openIndexer(config, () => {})
      await role.run(ended)
      return role.close
    })
    expectTable('indexer', read)
  })

  it('is complete for servers', async () => {
    const read = await readBy(async (config) => {
      const role = await openFleetServer(config, () => {})
      const server = await startServer(config, role, log)
      return async () => {
        await server.close()
        await role.close()
      }
    })
    expectTable('serve', read)
  })
})
