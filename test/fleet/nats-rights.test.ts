/**
 * deploy/nats/nats.conf: a whole fleet works with the permissions of each role, and a compromised fetcher can do little.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/model/index.ts'
import { outcomeOf, taskOf, until as untilSo } from '../../src/ports/queue-between.contract.ts'
import { openNatsQueue } from '../../src/queues/nats/index.ts'
import { allVisited } from './checker.ts'
import { type FleetHarness, fleetParts, openFleetHarness } from './fleet-harness.ts'

const { parts, reason } = await fleetParts()
const ROLES = ['controller', 'fetcher', 'indexer', 'server'] as const
type NatsRole = (typeof ROLES)[number]
/** Contains characters that addresses and configuration files have to quote. */
const passwordOf = (role: NatsRole) => `p@ss/w#rd "${role}"`

describe.skipIf(!parts)(`nats.conf${parts ? '' : ` (skipped: ${reason})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-nats-conf-'))
  const log = join(folder, 'log')
  let box: FleetHarness

  const queueOf = (role: NatsRole) =>
    `nats://${role}:${encodeURIComponent(passwordOf(role))}@127.0.0.1:${box.nats.port}`
  const open = (role: NatsRole, streams: 'create' | 'wait' | 'none') =>
    openNatsQueue({
      servers: [queueOf(role)],
      name: role,
      queueName: 'freshet',
      inboxPrefix: `_INBOX.${role}`,
      streams,
      streamsWaitMs: 1000,
      onInternalError: (error) => mistakes.push(`${role}: ${error}`),
    })
  const mistakes: string[] = []
  const violations = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /violation/i.test(line))

  beforeAll(async () => {
    const conf = readFileSync(new URL('../../deploy/nats/nats.conf', import.meta.url), 'utf8')
    writeFileSync(join(folder, 'nats.conf'), conf.replace('store_dir: "/data", ', ''))
    for (const role of ROLES) process.env[`NATS_${role.toUpperCase()}_PASSWORD`] = JSON.stringify(passwordOf(role))
    box = await openFleetHarness({ ...parts!, natsOptions: ['-c', join(folder, 'nats.conf'), '-l', log] })
  })
  afterAll(async () => {
    await box?.close()
    rmSync(folder, { recursive: true })
  })

  it('allow a fetcher to wait for streams, and a controller to create them', async () => {
    await expect(open('fetcher', 'wait')).rejects.toThrow(/streams of "freshet" are not on the NATS server/)
    const controller = await open('controller', 'create')
    const fetcher = await open('fetcher', 'wait')
    await fetcher.close()
    await controller.close()
  })

  it('allow a whole fleet to work', { timeout: 240_000 }, async () => {
    const start = (role: 'controller' | 'fetcher' | 'indexer' | 'serve', as: NatsRole) =>
      box.start(role, { settings: { QUEUE: queueOf(as) } })
    await Promise.all([
      start('controller', 'controller'),
      start('fetcher', 'fetcher'),
      start('indexer', 'indexer'),
      start('serve', 'server'),
    ])
    await box.subscribe()
    await allVisited(box, 60_000)
    await box.nats.kill()
    await box.nats.startAgain()
    await allVisited(box, 60_000)
    expect(violations()).toEqual([])
    for (const one of box.processes) await one.stop()
  })

  it('allow tasks, outcomes and pushed documents that are too large for a message', async () => {
    const [controller, fetcher, server] = [
      await open('controller', 'create'),
      await open('fetcher', 'wait'),
      await open('server', 'none'),
    ]
    const received: number[] = []
    const dispatch = controller.dispatch({ byBucket: true })
    dispatch.collect(
      async (outcomes) => void received.push(...outcomes.map(({ task }) => task.url.length)),
      async ({ body }) => void received.push(body.length),
    )
    const bucket = 7 as Bucket
    await dispatch.assignBuckets!(new Set([bucket]))
    const work = fetcher.work({ concurrency: 2 })
    work.serve(async (task) => outcomeOf(task))
    const random = Array.from({ length: 24 }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex'),
    ).join('')
    const url = `http://a.example/${random}` as ReturnType<typeof taskOf>['url']
    await dispatch.send([taskOf(1, { bucket, url })])
    await server.dispatch({ byBucket: true }).storePush({ token: 't', bucket, headers: {}, body: Buffer.from(random) })
    await untilSo(() => received.length === 2)
    expect(received.sort()).toEqual([random.length, url.length].sort())
    expect([mistakes, violations()]).toEqual([[], []])
    const late = AbortSignal.timeout(1000)
    await work.close(late)
    await dispatch.close(late)
    for (const queue of [controller, fetcher, server]) await queue.close()
  })

  it('deny a fetcher everything else', async () => {
    const { link, close } = await open('fetcher', 'wait')
    const { nc, modules } = link
    const jsm = await modules.jetstream.jetstreamManager(nc, { checkAPI: false })
    const denied = /permission/i
    await expect(jsm.streams.add({ name: 'MINE', subjects: ['mine'] })).rejects.toThrow(denied)
    await expect(jsm.streams.purge('FRESHET_OUTCOMES')).rejects.toThrow(denied)
    await expect(jsm.streams.delete('FRESHET_TASKS')).rejects.toThrow(denied)
    await expect(jsm.streams.getMessage('FRESHET_OUTCOMES', { seq: 1 })).rejects.toThrow(denied)
    const subscribeTo = async (subject: string) => {
      for await (const _ of nc.subscribe(subject)) return 'heard'
      return 'nothing'
    }
    for (const subject of [
      'freshet.outcomes.*',
      'freshet.bring.*',
      'freshet.tasks.*',
      'freshet.fleet.events',
      '_INBOX.>',
    ])
      await expect(subscribeTo(subject), subject).rejects.toThrow(denied)
    await close()
  })
})
