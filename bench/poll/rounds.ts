/**
 * Both sides of a measurement in a process of its own. `answerRounds` is the child: for every message of its parent it does the work and
 * sends what that took. `startRunner` is the parent's side.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `steady`: unchanged, but one after the other as they become due, as in a long-running crawl. */
export type Phase = 'first' | 'unchanged' | 'steady'

/** Between two feeds that become due in steady operation. */
export const STEADY_GAP_MS = 10
const MOST_STEADY = 1000

/** Feeds per round. */
export function requestsIn(phase: Phase, feeds: number): number {
  return phase === 'steady' ? Math.min(feeds, MOST_STEADY) : feeds
}

export interface Cost {
  cpuMs: number
  /** The background work afterwards. */
  laterCpuMs: number
  wallMs: number
  /** Memory when the work was done, and the peak since the process started. */
  rssMb: number
  peakMb: number
}

export interface Runner {
  run(phase: Phase): Promise<Cost>
  close(): Promise<void>
}

/** As in bin/freshet.js. */
const SMALL_ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }

/** A child process that uses the compile cache, like the program. */
export function forked(file: URL, args: string[] = [], { asProgram = false } = {}): ChildProcess {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'freshet-bench-compiled') }
  if (!asProgram) return fork(file, args, { env })
  return fork(file, args, {
    env: { ...env, ...SMALL_ALLOCATOR },
    execArgv: [...process.execArgv, '--optimize-for-size'],
  })
}

/** `asProgram`: with the settings of memory that bin/freshet.js gives long-running commands. */
export async function startRunner(file: URL, args: string[], options?: { asProgram?: boolean }): Promise<Runner> {
  const child = forked(file, args, options)
  await nextMessageOf(child) // it is ready
  return {
    run(phase) {
      child.send(phase)
      return nextMessageOf<Cost>(child)
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Its next message; throws if it ends without one. */
export async function nextMessageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const [message] = await Promise.race([
    once(child, 'message', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(() =>
      Promise.reject(new Error(`${child.spawnargs[1]} ended before it was done`)),
    ),
  ]).finally(() => ended.abort())
  return message
}

/**
 * `work` prepares, which is not counted, and returns the function that is measured; that one calls `polled` when the last feed was read and
 * stored, if it does more. Resolves when the parent has ended.
 */
export async function answerRounds(
  work: (phase: Phase) => Promise<(polled: () => void) => Promise<void>>,
): Promise<void> {
  process.on('message', async (phase: Phase) => {
    const measured = await work(phase)
    const cpu = process.cpuUsage()
    const began = performance.now()
    const cpuMs = () => {
      const { user, system } = process.cpuUsage(cpu)
      return (user + system) / 1000
    }
    let polledMs: number | undefined
    await measured(() => {
      polledMs = cpuMs()
    })
    const all = cpuMs()
    process.send?.({
      cpuMs: polledMs ?? all,
      laterCpuMs: all - (polledMs ?? all),
      wallMs: performance.now() - began,
      rssMb: process.memoryUsage.rss() / 1e6,
      peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
    } satisfies Cost)
  })
  process.send?.('ready')
  await once(process, 'disconnect')
}
