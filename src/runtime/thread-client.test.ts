import { afterEach, expect, it } from 'vitest'
import { StoreError } from '../ports/index.ts'
import { PRIORITY } from './call-queue.ts'
import { createThreadClient, type ThreadClient, type ThreadClientOptions } from './thread-client.ts'

const opened: ThreadClient[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const FIXTURE = new URL('./thread.fixture.ts', import.meta.url).href

function client({ data = 0, ...more }: Partial<ThreadClientOptions> = {}) {
  const thread = createThreadClient({
    name: 'counter',
    module: FIXTURE,
    open: 'openCounter',
    data,
    failed: ({ kind, detail }) => new Error(`${kind}: ${detail}`),
    ...more,
  })
  opened.push(thread)
  const call = (method: string, ...args: unknown[]) => thread.call('counter', method, args)
  return { thread, call }
}

it('calls methods in order and answers what they answer', async () => {
  const { call } = client({ data: 10 })
  expect(await Promise.all([call('add', 1), call('add', 2), call('add', 3)])).toEqual([11, 13, 16])
})

it('starts with the first call, and names the methods', async () => {
  const { thread } = client()
  expect(thread.status().isRunning).toBe(false)
  expect((await thread.start()).counter).toContain('add')
  expect(thread.status().isRunning).toBe(true)
})

it('throws what opening threw, with its kind, and tries again with the next call', async () => {
  const { call } = client({ data: -1 })
  await expect(call('add', 1)).rejects.toMatchObject({ trouble: 'missing', hint: 'Begin with zero.' })
  await expect(call('add', 1)).rejects.toBeInstanceOf(StoreError)
})

it('keeps the kind of errors', async () => {
  const { call } = client()
  const failed = await call('fail').catch((error) => error)
  expect(failed).toBeInstanceOf(StoreError)
  expect(failed).toMatchObject({
    trouble: 'no-access',
    message: 'the disk is full',
    hint: 'Make room.',
    isPassing: true,
  })
  await expect(call('failTyped')).rejects.toBeInstanceOf(RangeError)
})

it('refuses an argument that cannot be sent, and no other call', async () => {
  const { call } = client()
  const [bad, good] = await Promise.allSettled([call('add', () => 1), call('add', 1)])
  expect(bad.status).toBe('rejected')
  expect(good).toMatchObject({ value: 1 })
})

it('lets urgent calls overtake those that only wait', async () => {
  const { thread, call } = client()
  await thread.start()
  const note = (name: string, priority: 0 | 1 | 2 | 3) => thread.call('counter', 'note', [name], priority)
  const all = [
    note('background 1', PRIORITY.background),
    note('background 2', PRIORITY.background),
    note('normal', PRIORITY.normal),
    note('lease', PRIORITY.leases),
    note('result', PRIORITY.results),
  ]
  await Promise.all(all)
  expect(await call('ran')).toEqual(['result', 'lease', 'normal', 'background 1', 'background 2'])
})

it('refuses calls past its bound, at once', async () => {
  const { thread, call } = client({ maxQueued: 3 })
  const first = [call('block', 50), call('add', 1), call('add', 1)]
  await expect(call('add', 1)).rejects.toThrow('busy: 3 calls wait')
  expect(thread.status().queued).toBe(3)
  await Promise.all(first)
  expect(await call('add', 1)).toBe(3)
})

it('fails calls in flight when the worker crashes, and answers later ones from a new one', async () => {
  const { thread, call } = client()
  expect(await call('add', 5)).toBe(5)
  const [crashed, behind] = await Promise.allSettled([call('crash'), call('add', 1)])
  expect([crashed.status, behind.status]).toEqual(['rejected', 'rejected'])
  expect(await call('add', 1)).toBe(1)
  expect(thread.status().crashes).toBe(1)
})

it('sends again what waited behind a crash, where calls only read', async () => {
  const { call } = client({ resend: true })
  const [crashed, behind] = await Promise.allSettled([call('crash'), call('add', 1)])
  expect(crashed).toMatchObject({ reason: { message: expect.stringContaining('crashed') } })
  expect(behind).toMatchObject({ value: 1 })
})

it('stops a call that takes too long, and goes on with another worker', async () => {
  const { thread, call } = client({ callTimeoutMs: 100, resend: true })
  await thread.start()
  const [slow, quick] = await Promise.allSettled([call('block', 5000), call('add', 1)])
  expect(slow).toMatchObject({ reason: { message: expect.stringContaining('timed-out') } })
  expect(quick).toMatchObject({ value: 1 })
})

it('refuses calls for a while when it crashes again and again, and then starts another worker', async () => {
  const { call } = client({ restMs: 300 })
  for (let i = 0; i < 5; i++) await expect(call('crash')).rejects.toThrow()
  await expect(call('add', 1)).rejects.toThrow('broken: the counter thread crashed 5 times')
  await new Promise((resolve) => setTimeout(resolve, 350))
  expect(await call('add', 1)).toBe(1)
})

it('pulls streams in chunks, and ends those that nobody wants to the end', async () => {
  const { thread } = client()
  const all: unknown[] = []
  for await (const one of thread.stream('counter', 'upTo', [250])) all.push(one)
  expect(all).toEqual(Array.from({ length: 250 }, (_, i) => i))
  for await (const one of thread.stream('counter', 'upTo', [1e9])) if (one === 150) break
})

it('ends when idle, and starts again', async () => {
  const { thread, call } = client({ idleMs: 20 })
  await call('add', 1)
  await expect.poll(() => thread.status().isRunning).toBe(false)
  expect(await call('add', 1)).toBe(1)
  expect(thread.status().crashes).toBe(0)
})

it('closes when all calls are settled, and takes no more', async () => {
  const { thread, call } = client({ lastCall: { target: 'counter', method: 'close' } })
  const under = [call('block', 30), call('add', 1)]
  const closing = thread.close()
  await expect(call('add', 1)).rejects.toThrow('closed')
  expect(await Promise.all(under)).toEqual([undefined, 1])
  await closing
  expect(thread.status().isRunning).toBe(false)
})

it('tells how busy it is and how long its longest call took', async () => {
  const { thread, call } = client()
  await call('block', 30)
  const { busyShare, longestCallMs, queued } = thread.status()
  expect(longestCallMs).toBeGreaterThanOrEqual(30)
  expect(busyShare).toBeGreaterThan(0)
  expect(queued).toBe(0)
})
