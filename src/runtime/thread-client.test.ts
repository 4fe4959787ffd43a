import { afterEach, expect, it } from 'vitest'
import { StoreError } from '../ports/index.ts'
import { PRIORITY } from './call-queue.ts'
import { createThreadClient, type ThreadClient, type ThreadClientOptions } from './thread-client.ts'

const opened: ThreadClient[] = []
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})

const FIXTURE = new URL('./thread.fixture.ts', import.meta.url).href

function client({ data = 0, ...options }: Partial<ThreadClientOptions> = {}) {
  const thread = createThreadClient({
    name: 'counter',
    module: FIXTURE,
    open: 'openCounter',
    data,
    failed: ({ kind, detail }) => new Error(`${kind}: ${detail}`),
    ...options,
  })
  opened.push(thread)
  const call = (method: string, ...args: unknown[]) => thread.call('counter', method, args)
  return { thread, call }
}

it('calls methods in order and returns their results', async () => {
  const { call } = client({ data: 10 })
  expect(await Promise.all([call('add', 1), call('add', 2), call('add', 3)])).toEqual([11, 13, 16])
})

it('starts on demand, and returns the method names', async () => {
  const { thread } = client()
  expect(thread.status().isRunning).toBe(false)
  expect((await thread.start()).counter).toContain('add')
  expect(thread.status().isRunning).toBe(true)
})

it('rejects with the typed error of opening, and retries on the next call', async () => {
  const { call } = client({ data: -1 })
  await expect(call('add', 1)).rejects.toMatchObject({ kind: 'missing', hint: 'Begin with zero.' })
  await expect(call('add', 1)).rejects.toBeInstanceOf(StoreError)
})

it('preserves error types', async () => {
  const { call } = client()
  const failed = await call('fail').catch((error) => error)
  expect(failed).toBeInstanceOf(StoreError)
  expect(failed).toMatchObject({
    kind: 'no-access',
    message: 'the disk is full',
    hint: 'Make room.',
    isTransient: true,
  })
  await expect(call('failTyped')).rejects.toBeInstanceOf(RangeError)
})

it('rejects only the call whose argument cannot be sent', async () => {
  const { call } = client()
  const [bad, good] = await Promise.allSettled([call('add', () => 1), call('add', 1)])
  expect(bad.status).toBe('rejected')
  expect(good).toMatchObject({ value: 1 })
})

it('lets urgent calls overtake queued ones', async () => {
  const { thread, call } = client()
  await thread.start()
  const note = (name: string, priority: 0 | 1 | 2 | 3) => thread.call('counter', 'note', [name], priority)
  const calls = [
    note('background 1', PRIORITY.background),
    note('background 2', PRIORITY.background),
    note('normal', PRIORITY.normal),
    note('lease', PRIORITY.leases),
    note('result', PRIORITY.results),
  ]
  await Promise.all(calls)
  expect(await call('ran')).toEqual(['result', 'lease', 'normal', 'background 1', 'background 2'])
})

it('rejects calls at once when the queue is full', async () => {
  const { thread, call } = client({ maxQueued: 3 })
  const first = [call('block', 50), call('add', 1), call('add', 1)]
  await expect(call('add', 1)).rejects.toThrow('busy: 3 calls wait')
  expect(thread.status().queued).toBe(3)
  await Promise.all(first)
  expect(await call('add', 1)).toBe(3)
})

it('fails calls in flight when the worker crashes, and runs later ones in a new worker', async () => {
  const { thread, call } = client()
  expect(await call('add', 5)).toBe(5)
  const [crashed, queued] = await Promise.allSettled([call('crash'), call('add', 1)])
  expect([crashed.status, queued.status]).toEqual(['rejected', 'rejected'])
  expect(await call('add', 1)).toBe(1)
  expect(thread.status().crashes).toBe(1)
})

it('resends calls queued behind a crash if calls only read', async () => {
  const { call } = client({ resend: true })
  const [crashed, queued] = await Promise.allSettled([call('crash'), call('add', 1)])
  expect(crashed).toMatchObject({ reason: { message: expect.stringContaining('crashed') } })
  expect(queued).toMatchObject({ value: 1 })
})

it('stops a call that times out, and continues with a new worker', async () => {
  const { thread, call } = client({ callTimeoutMs: 100, resend: true })
  await thread.start()
  const [slow, quick] = await Promise.allSettled([call('block', 5000), call('add', 1)])
  expect(slow).toMatchObject({ reason: { message: expect.stringContaining('timed-out') } })
  expect(quick).toMatchObject({ value: 1 })
})

it('rejects calls during a cooldown after repeated crashes, and then starts a new worker', async () => {
  const { call } = client({ cooldownMs: 300 })
  for (let i = 0; i < 5; i++) await expect(call('crash')).rejects.toThrow()
  await expect(call('add', 1)).rejects.toThrow('broken: the counter thread crashed 5 times')
  await new Promise((resolve) => setTimeout(resolve, 350))
  expect(await call('add', 1)).toBe(1)
})

it('pulls streams in chunks, and ends streams that are not read to the end', async () => {
  const { thread } = client()
  const values: unknown[] = []
  for await (const value of thread.stream('counter', 'upTo', [250])) values.push(value)
  expect(values).toEqual(Array.from({ length: 250 }, (_, i) => i))
  for await (const value of thread.stream('counter', 'upTo', [1e9])) if (value === 150) break
})

it('stops when idle, and starts again on demand', async () => {
  const { thread, call } = client({ idleMs: 20 })
  await call('add', 1)
  await expect.poll(() => thread.status().isRunning).toBe(false)
  expect(await call('add', 1)).toBe(1)
  expect(thread.status().crashes).toBe(0)
})

it('closes when all calls are settled, and rejects later ones', async () => {
  const { thread, call } = client({ lastCall: { target: 'counter', method: 'close' } })
  const inProgress = [call('block', 30), call('add', 1)]
  const closing = thread.close()
  await expect(call('add', 1)).rejects.toThrow('closed')
  expect(await Promise.all(inProgress)).toEqual([undefined, 1])
  await closing
  expect(thread.status().isRunning).toBe(false)
})

it('reports its load and its longest call', async () => {
  const { thread, call } = client()
  await call('block', 30)
  const { busyShare, longestCallMs, queued } = thread.status()
  expect(longestCallMs).toBeGreaterThanOrEqual(30)
  expect(busyShare).toBeGreaterThan(0)
  expect(queued).toBe(0)
})
