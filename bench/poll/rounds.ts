/**
 * The two sides of a measurement in a process of its own. `answerRounds` is the child: for every word of its parent it does
 * the work and sends what that took. `startRunner` is the parent's side.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Phase = 'first' | 'unchanged'

export interface Cost {
  cpuMs: number
  wallMs: number
  /** When the work was done, and the most there was since the process began. */
  rssMb: number
  peakMb: number
}

export interface Runner {
  run(phase: Phase): Promise<Cost>
  close(): Promise<void>
}

export async function startRunner(file: URL, args: string[]): Promise<Runner> {
  const child = fork(file, args)
  const heard = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error(`${file.pathname} ended before it was told to`))),
    ])
    return message as Cost
  }
  await heard() // it is ready
  return {
    run(phase) {
      child.send(phase)
      return heard()
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Resolves when the parent is gone. */
export async function answerRounds(work: (phase: Phase) => Promise<() => Promise<void>>): Promise<void> {
  process.on('message', async (phase: Phase) => {
    const measured = await work(phase) // what it has to prepare is not counted
    const cpu = process.cpuUsage()
    const began = performance.now()
    await measured()
    const { user, system } = process.cpuUsage(cpu)
    process.send?.({
      cpuMs: (user + system) / 1000,
      wallMs: performance.now() - began,
      rssMb: process.memoryUsage.rss() / 1e6,
      peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
    } satisfies Cost)
  })
  process.send?.('ready')
  await once(process, 'disconnect')
}
