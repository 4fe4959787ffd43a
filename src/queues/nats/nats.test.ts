/** Against a real server, which each run starts itself. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATS_BINARY, type NatsServer, startNatsServer, WITHOUT_NATS } from '../../../test/nats-server.ts'
import { startRelay } from '../../../test/relay.ts'
import type { Bucket, Outcome } from '../../model/index.ts'
import { QueueError } from '../../ports/index.ts'
import { queueContract } from '../../ports/queue.contract.ts'
import { outcomeOf, queueBetweenContract, taskOf, until } from '../../ports/queue-between.contract.ts'
import { connectNats } from './connection.ts'
import { type NatsQueue, type NatsQueueOptions, openNatsQueue } from './index.ts'
import { FETCHERS_CONSUMER, queueNames } from './names.ts'

let server: NatsServer
let opened = 0

describe.skipIf(!NATS_BINARY)(`NATS JetStream${WITHOUT_NATS}`, () => {
  beforeAll(async () => {
    server = await startNatsServer()
  })
  afterAll(() => server?.close())

  queueContract('NATS JetStream, both ends in one process', async ({ concurrency, onInternalError }) => {
    const queueName = `both${++opened}`
    const queue = await openNatsQueue({ servers: [server.url], name: 'both', queueName, onInternalError })
    const dispatch = queue.dispatch({ retryMs: 5 })
    const work = queue.work({ concurrency })
    const jsm = await queue.link.modules.jetstream.jetstreamManager(queue.link.nc)
    let isCollected = false
    let closed: Promise<void> | undefined

    /** With both ends here, nothing more arrives once the stream is empty. */
    async function close(signal?: AbortSignal): Promise<void> {
      await work.close(signal)
      const remaining = async () => (await jsm.streams.info(queueNames(queueName).outcomes)).state.messages
      while (isCollected && !signal?.aborted && (await remaining()) > 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
      await dispatch.close(signal)
      await queue.close()
    }
    return {
      ...dispatch,
      collect(apply) {
        isCollected = true
        dispatch.collect(apply)
      },
      async send(tasks) {
        if (closed) throw new Error('the queue is closed')
        await dispatch.send(tasks)
      },
      serve: work.serve,
      close: (signal) => (closed ??= close(signal)),
    }
  })

  const ACK_WAIT_MS = 900

  /** Closed after the test, unless they are closed before. */
  function createFixture(queueName = `between${++opened}`) {
    const queues: NatsQueue[] = []
    const errors: string[] = []
    async function open(options: Partial<NatsQueueOptions> = {}): Promise<NatsQueue> {
      const name = `end-${queues.length}`
      const onInternalError = (error: unknown) => errors.push(String(error))
      const settings = { servers: [server.url], name, queueName, ackWaitMs: ACK_WAIT_MS, onInternalError, ...options }
      const queue = await openNatsQueue(settings)
      queues.push(queue)
      return queue
    }
    async function storedCounts() {
      const { link } = await open()
      const names = queueNames(queueName)
      const jsm = await link.modules.jetstream.jetstreamManager(link.nc)
      const counts = [names.tasks, names.outcomes, `OBJ_${names.objects}`].map(
        async (stream) => (await jsm.streams.info(stream)).state,
      )
      const [tasks, outcomes, objects] = await Promise.all(counts)
      await link.close()
      return { messages: tasks!.messages + outcomes!.messages, bodies: objects!.bytes > 100_000 ? 1 : 0 }
    }
    const close = async () => void (await Promise.all(queues.map((queue) => queue.close())))
    return { queueName, errors, open, storedCounts, close, ackWaitMs: ACK_WAIT_MS }
  }

  queueBetweenContract('NATS JetStream', async () => {
    const { open, storedCounts, close, ackWaitMs } = createFixture()
    return {
      async controller(how) {
        const { dispatch, link } = await open()
        return { ...dispatch({ retryMs: 5, byBucket: how === 'byBucket' }), vanish: () => link.nc.close() }
      },
      async fetcher(concurrency) {
        const { work, link } = await open()
        return { ...work({ concurrency }), vanish: () => link.nc.close() }
      },
      storedCounts: storedCounts,
      ackWaitMs,
      close,
    }
  })

  test('unreadable messages are dropped, and their sender is reported', async () => {
    const { open, queueName, errors, close, storedCounts } = createFixture()
    const unreadable: string[] = []
    const queue = await open()
    const dispatch = queue.dispatch({ onUnreadable: (from) => unreadable.push(from) })
    const applied: Outcome[] = []
    dispatch.collect(async (outcomes) => void applied.push(...outcomes))
    const { nc, modules } = queue.link
    const js = modules.jetstream.jetstream(nc)
    const subject = queueNames(queueName).outcomeSubject(undefined)
    const withVersion = (version: string) => {
      const headers = modules.core.headers()
      headers.set('Freshet-Payload', version)
      headers.set('Freshet-From', 'the-broken-one')
      return { headers }
    }
    await js.publish(subject, 'not JSON', withVersion('1'))
    await js.publish(subject, JSON.stringify({ ...outcomeOf(taskOf(1)), result: { kind: 'window' } }), withVersion('1'))
    await js.publish(subject, '{}', withVersion('no number'))
    await js.publish(subject, JSON.stringify(outcomeOf(taskOf(2))), withVersion('1'))
    await until(() => applied.length > 0 && unreadable.length === 3)
    expect(applied.map(({ task }) => task)).toEqual([taskOf(2)])
    expect(unreadable).toEqual(Array(3).fill('the-broken-one'))
    expect(errors).toHaveLength(3)
    await until(async () => (await storedCounts()).messages === 0)
    await close()
  })

  test('tasks of the previous version are understood; those of a later one are left to upgraded processes, and reported', async () => {
    const { open, errors, close } = createFixture()
    const current = 2
    const fromBefore = (body: unknown) => ({ ...(body as object), gapMs: 77 })
    const [before, now] = [await open(), await open({ versions: { current, fromBefore } })]
    const performed: number[] = []
    now.work({ concurrency: 1 }).serve(async (task) => {
      performed.push('gapMs' in task ? task.gapMs : -1)
      return outcomeOf(task)
    })
    await before.dispatch().send([taskOf(0)])
    await until(() => performed.length === 1)
    expect(performed).toEqual([77])
    await now.close()

    const later = await open({ versions: { current, fromBefore } })
    before.work({ concurrency: 1 }).serve(async (task) => {
      performed.push(-99)
      return outcomeOf(task)
    })
    await later.dispatch().send([taskOf(1)])
    const message =
      /a message of version 2 from end-\d cannot be read by this process, which reads version 1: upgrade it/
    await until(() => errors.some((error) => message.test(error)))
    expect(performed).toEqual([77])
    await close()
  })

  test('a disconnected fetcher stops making requests before another gets its task', async () => {
    const { open, close } = createFixture()
    const relay = await startRelay(server.port)
    const remote = await open({ servers: [`nats://127.0.0.1:${relay.port}`] })
    const local = await open()
    const dispatch = local.dispatch()
    const applied: Outcome[] = []
    dispatch.collect(async (outcomes) => void applied.push(...outcomes))
    const log: string[] = []
    remote.work({ concurrency: 1 }).serve(async (task, signal, isLate) => {
      log.push('far goes out')
      relay.cut()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      log.push(`far is late: ${isLate?.()}`)
      return outcomeOf(task)
    })
    await dispatch.send([taskOf(0)])
    await until(() => log.length === 1)
    local.work({ concurrency: 1 }).serve(async (task) => {
      log.push('near goes out')
      return outcomeOf(task)
    })
    await until(() => applied.length === 1)
    expect(log).toEqual(['far goes out', 'far is late: true', 'near goes out'])
    await relay.close()
    await close()
  })

  test('for tasks sent some seconds ago, the fetcher first asks whether they are awaited, until there is an answer', async () => {
    const { open, close, storedCounts } = createFixture()
    const queue = await open()
    const queried: number[] = []
    const performed: number[] = []
    const numberIn = (task: object) => ('feedId' in task ? Number(task.feedId) : -1)
    const isAwaited = async (task: object) => {
      queried.push(numberIn(task))
      return numberIn(task) === 1 ? false : queried.filter((number) => number === 2).length > 4 ? true : undefined
    }
    queue.work({ concurrency: 4, isAwaited }).serve(async (task) => {
      performed.push(numberIn(task))
      return outcomeOf(task)
    })
    const [now, before] = [Date.now(), Date.now() - 20_000]
    const departed = [now, before, before, Date.now() - 100_000]
    // 0 is new; a suspended controller sends 1, whose bucket has another owner by now; 2 is unknown at first; 3 is too old.
    const dispatch = queue.dispatch()
    await dispatch.send(departed.map((departedAt, n) => taskOf(n, { departedAt, goodForMs: 60_000 })))
    dispatch.collect(async () => {})
    await until(async () => performed.length === 2 && (await storedCounts()).messages === 0)
    expect(performed).toEqual([0, 2])
    expect([...new Set(queried)].sort()).toEqual([1, 2])
    await close()
  })

  test('a server that is killed and restarted loses nothing, without any intervention', async () => {
    const ownServer = await startNatsServer()
    const { open, close } = createFixture()
    const queue = await open({ servers: [ownServer.url], ackWaitMs: 3000 })
    const dispatch = queue.dispatch({ retryMs: 50 })
    const applied = new Set<number>()
    dispatch.collect(async (outcomes) => {
      for (const { task } of outcomes) if (task.kind === 'poll') applied.add(task.feedId)
    })
    await dispatch.send(Array.from({ length: 20 }, (_, n) => taskOf(n)))
    await ownServer.kill()
    const sending = dispatch.send([taskOf(20)])
    queue.work({ concurrency: 21 }).serve(async (task) => outcomeOf(task))
    await ownServer.startAgain()
    await sending
    await until(() => applied.size === 21)
    await close()
    await ownServer.close()
  })

  test('a server that comes back empty gets its streams again, and subscribers receive messages', async () => {
    const ownServer = await startNatsServer()
    const { open, close } = createFixture()
    const queue = await open({ servers: [ownServer.url] })
    const dispatch = queue.dispatch({ byBucket: true, retryMs: 50 })
    const applied: number[] = []
    dispatch.collect(async (outcomes) => {
      for (const { task } of outcomes) if (task.kind === 'poll') applied.push(task.feedId)
    })
    const buckets = Array.from({ length: 64 }, (_, bucket) => bucket as Bucket)
    await dispatch.assignBuckets?.(new Set(buckets))
    queue.work({ concurrency: 64 }).serve(async (task) => outcomeOf(task))
    await ownServer.kill()
    await ownServer.startAgain('nothing')
    await dispatch.send(buckets.map((bucket) => taskOf(bucket, { bucket })))
    await until(() => new Set(applied).size === buckets.length)
    await close()
    await ownServer.close()
  })

  test('the consumer of fetchers under its former name is replaced, and its tasks stay', async () => {
    const { open, close } = createFixture()
    const before = await open()
    const { link } = before
    const { tasks } = queueNames(`between${opened}`)
    const jsm = await link.modules.jetstream.jetstreamManager(link.nc)
    await jsm.consumers.delete(tasks, FETCHERS_CONSUMER)
    await jsm.consumers.add(tasks, { durable_name: 'terminals', ack_policy: link.modules.jetstream.AckPolicy.Explicit })
    const dispatch = before.dispatch({ retryMs: 5 })
    await dispatch.send([taskOf(1)])
    const received: unknown[] = []
    const after = await open()
    after.work({ concurrency: 1 }).serve(async (task) => {
      received.push(task)
      return outcomeOf(task)
    })
    await until(() => received.length === 1)
    await close()
  })

  test('a server without room for tasks is retried until there is room, and the problem is reported meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-nats-full-'))
    writeFileSync(join(folder, 'nats.conf'), 'jetstream { max_file_store: 3MB }\n')
    const small = await startNatsServer(['-c', join(folder, 'nats.conf')])
    const { open, close } = createFixture()
    const errors: unknown[] = []
    const queue = await open({ servers: [small.url], onInternalError: (error) => errors.push(error) })
    const jsm = await queue.link.modules.jetstream.jetstreamManager(queue.link.nc)
    await jsm.streams.add({ name: 'BALLAST', subjects: ['ballast'] })
    const js = queue.link.modules.jetstream.jetstream(queue.link.nc)
    const fill = async () => {
      for (const bytes of [200_000, 2000, 10])
        while (await js.publish('ballast', new Uint8Array(bytes)).catch(() => false));
    }
    await fill()
    const dispatch = queue.dispatch({ retryMs: 50 })
    const applied: number[] = []
    dispatch.collect(async (outcomes) => {
      for (const { task } of outcomes) if (task.kind === 'poll') applied.push(task.feedId)
    })
    queue.work({ concurrency: 4 }).serve(async (task) => outcomeOf(task))
    const sending = dispatch.send([1, 2, 3].map((n) => taskOf(n)))
    await until(() => dispatch.refusal?.() !== undefined)
    expect(dispatch.refusal?.()?.hint).toContain('Free space on the JetStream disk')
    expect(errors.every((error) => error instanceof QueueError)).toBe(true)
    await sending
    await jsm.streams.purge('BALLAST')
    await until(() => applied.length === 3)
    expect([applied.sort(), dispatch.refusal?.()]).toEqual([[1, 2, 3], undefined])
    await close()
    await small.close()
    rmSync(folder, { recursive: true })
  })

  test('one of several servers is enough', async () => {
    const ownServer = await startNatsServer()
    const link = await connectNats({ servers: ['nats://127.0.0.1:1', ownServer.url], name: 'x' })
    expect(link.isUp()).toBe(true)
    await link.close()
    await ownServer.close()
  })

  test('the server is verified by its CA, and receives our client certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-tls-'))
    const at = (name: string) => join(folder, name)
    const signed = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
    execFileSync('openssl', [...signed.split(' '), '-keyout', at('key.pem'), '-out', at('cert.pem')], {
      stdio: 'ignore',
    })
    const files = ['--tlscert', at('cert.pem'), '--tlskey', at('key.pem'), '--tlscacert', at('cert.pem')]
    const ownServer = await startNatsServer(['--tlsverify', ...files])
    const connected = (tls: object) =>
      connectNats({ servers: [`tls://localhost:${ownServer.port}`], name: 'x', tls }).then(async (link) => {
        await link.close()
        return 'connected'
      })
    const tlsFiles = { caFile: at('cert.pem'), certFile: at('cert.pem'), keyFile: at('key.pem') }
    expect(await connected(tlsFiles)).toBe('connected')
    await expect(connected({ ...tlsFiles, caFile: undefined })).rejects.toThrow(/certificate/)
    await expect(connected({ ...tlsFiles, caFile: at('none.pem') })).rejects.toThrow(/none\.pem/)
    await ownServer.close()
    rmSync(folder, { recursive: true })
  })

  test('a login that is rejected for a while is retried; one that stays rejected closes the connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-nats-login-'))
    const config = join(folder, 'nats.conf')
    const allow = (password: string) => writeFileSync(config, `authorization { user: ada, password: "${password}" }\n`)
    allow('sesame')
    const guarded = await startNatsServer(['-c', config])
    const link = await connectNats({ servers: [guarded.url.replace('//', '//ada:sesame@')], name: 'x' }, 1500)
    const restartWith = async (password: string) => {
      await guarded.kill()
      allow(password)
      await guarded.startAgain()
    }
    await restartWith('other')
    await new Promise((resolve) => setTimeout(resolve, 1000)) // several refusals
    expect(link.nc.isClosed()).toBe(false)
    await restartWith('sesame')
    await until(link.isUp)
    await restartWith('other')
    const error = await link.lost
    expect(error.message).toMatch(/rejected our login for \d+ s/)
    expect(error.message).not.toContain('sesame')
    expect(link.nc.isClosed()).toBe(true)
    await guarded.close()
    rmSync(folder, { recursive: true })
  })

  test('a wrong address is reported without its password', async () => {
    const wrong = connectNats({ servers: ['nats://ada:sesame@127.0.0.1:1'], name: 'x' })
    await expect(wrong).rejects.toThrow(/^no connection to NATS at nats:\/\/127\.0\.0\.1:1: /)
    const guarded = await startNatsServer(['--user', 'ada', '--pass', 'sesame'])
    const at = (login: string) => connectNats({ servers: [guarded.url.replace('//', `//${login}`)], name: 'x' })
    const refusal = await at('ada:wrong@').catch((error: unknown) => error)
    expect(refusal).toMatchObject({ hint: 'check name and password in the address, or the credentials file' })
    expect(String(refusal)).not.toContain('wrong')
    const link = await at('ada:sesame@')
    expect(link.isUp()).toBe(true)
    await link.close()
    await guarded.close()
  })
})
