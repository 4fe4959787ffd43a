/**
 * Measures turns of the event loop: nothing else can happen in the process until one is over. A timer fires every millisecond, so what the
 * main thread did between two calls is one turn, or several very short ones. CPU time of the main thread is what counts; on a busy machine,
 * wall-clock time also includes other processes. Garbage collection is reported separately, in wall-clock time.
 *
 * With `blame`, a CPU profile shows what ran in each turn that is too long.
 */
import { Session } from 'node:inspector/promises'
import { constants, PerformanceObserver } from 'node:perf_hooks'

export const LONGEST_TURN_MS = 20

const TICK_MS = 1
const WORTH_KEEPING_MS = 5
const SAMPLED_EVERY_US = 1000
const BLAMED = 5 // turns, the longest ones
const LINES = 12 // of the profile of one turn

interface Turn {
  /** By the monotonic clock of the process, in milliseconds. */
  from: number
  to: number
  cpuMs: number
  /** The part spent in the kernel: files, and memory that has to be mapped again. */
  systemMs: number
}

/** Of one piece of work, in milliseconds. */
export interface Turns {
  tookMs: number
  cpuMs: number
  /**
   * The longest turn by wall-clock time and by CPU time of the main thread; and the part of the latter that was garbage collection, by
   * wall-clock time.
   */
  wallMs: number
  turnMs: number
  garbageMs: number
  /** The number of turns that were too long. */
  long: number
  /** The longest garbage collection. */
  longestGarbage: string
  blame: string[]
}

export async function watchTurns(work: () => Promise<unknown>, blames = false): Promise<Turns> {
  const turns: Turn[] = []
  const garbage: { from: number; to: number; kind: string }[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration, detail } of list.getEntries() as unknown as Collected[]) {
      const kind = GARBAGE.get(detail.kind) ?? 'other'
      garbage.push({ from: startTime, to: startTime + duration, kind })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  const profile = blames ? await beginProfile() : undefined
  const began = { at: performance.now(), ...cpuMs() }
  let last = began
  let wallMs = 0
  const tick = () => {
    const now = { at: performance.now(), ...cpuMs() }
    wallMs = Math.max(wallMs, now.at - last.at - TICK_MS)
    const spent = Math.min(now.cpu - last.cpu, now.at - last.at) // Linux counts CPU time in steps of some milliseconds
    if (spent > WORTH_KEEPING_MS)
      turns.push({ from: last.at, to: now.at, cpuMs: spent, systemMs: now.system - last.system })
    last = now
  }
  const ticker = setInterval(tick, TICK_MS)
  try {
    await work()
  } finally {
    tick()
    clearInterval(ticker)
  }
  const sampled = await profile?.()
  await new Promise((resolve) => setTimeout(resolve, 20)) // garbage collections are reported a moment later
  observer.disconnect()
  turns.sort((a, b) => b.cpuMs - a.cpuMs)
  const within = ({ from, to }: Turn) => garbage.filter((one) => one.from < to && one.to > from)
  const garbageIn = (turn: Turn) => within(turn).reduce((sum, one) => sum + one.to - one.from, 0)
  const most = garbage.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a), { from: 0, to: 0, kind: '' })
  const long = turns.filter((turn) => turn.cpuMs > LONGEST_TURN_MS)
  const [longest] = turns
  return {
    tookMs: last.at - began.at,
    cpuMs: last.cpu - began.cpu,
    wallMs,
    turnMs: longest?.cpuMs ?? WORTH_KEEPING_MS,
    garbageMs: longest ? garbageIn(longest) : 0,
    long: long.length,
    longestGarbage: `${(most.to - most.from).toFixed(0)} ${most.kind}`,
    blame: sampled
      ? long.slice(0, BLAMED).flatMap((turn) => {
          const of = within(turn).map(({ from, to, kind }) => `${(to - from).toFixed(1)} ${kind}`)
          return [
            `${turn.cpuMs.toFixed(1)} ms CPU (kernel ${turn.systemMs.toFixed(1)}), garbage: ${of.join(', ') || 'none'}`,
            ...sampled(turn),
          ]
        })
      : [],
  }
}

interface Collected {
  startTime: number
  duration: number
  detail: { kind: number }
}

const GARBAGE = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'young'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'old'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'a step'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'callbacks'],
])

/** Of the main thread only. */
function cpuMs(): { cpu: number; system: number } {
  const { user, system } = process.threadCpuUsage()
  return { cpu: (user + system) / 1000, system: system / 1000 }
}

type Sampled = (turn: Turn) => string[]

/** Both clocks are monotonic; the profiler's starts with the machine, ours with the process. */
async function beginProfile(): Promise<() => Promise<Sampled>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_US })
  await session.post('Profiler.start')
  const ahead = Number(process.hrtime.bigint()) / 1e6 - performance.now()
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
    const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
    const nameOf = (id: number) => {
      const { functionName, url, lineNumber } = nodes.get(id)!.callFrame
      return `${functionName || '(unnamed)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`
    }
    return ({ from, to }) => {
      const spent = new Map<string, number>()
      let at = profile.startTime / 1000 - ahead
      for (const [i, id] of (profile.samples ?? []).entries()) {
        const took = (profile.timeDeltas?.[i] ?? 0) / 1000
        at += took
        if (at < from || at > to) continue
        const stack: string[] = []
        for (let one: number | undefined = id; one !== undefined; one = parents.get(one)) stack.push(nameOf(one))
        const named = stack.filter((name) => name.includes('.ts:')).slice(0, 4)
        const line = [...(stack[0]?.includes('.ts:') ? [] : stack.slice(0, 1)), ...named].join(' < ')
        spent.set(line, (spent.get(line) ?? 0) + took)
      }
      const lines = [...spent].sort(([, a], [, b]) => b - a).slice(0, LINES)
      return lines.map(([name, ms]) => `  ${ms.toFixed(1).padStart(6)} ${name}`)
    }
  }
}
