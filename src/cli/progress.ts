/** A progress bar on a terminal; no output elsewhere. */
import { Presets, SingleBar } from 'cli-progress'
import type { Io } from './io.ts'

export interface Progress {
  update(done: number, of: number): void
  end(): void
}

export function createProgress(io: Io, what: string): Progress {
  if (!io.drawsProgress) return { update: () => {}, end: () => {} }
  const bar = new SingleBar(
    { format: `${what} {bar} {value}/{total}`, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    Presets.shades_grey,
  )
  let started = false
  return {
    update(done, of) {
      if (!started) bar.start(of, done)
      started = true
      bar.setTotal(of)
      bar.update(done)
    },
    end() {
      if (started) bar.stop()
    },
  }
}
