/**
 * Other programs that do the same, if installed: newsboat, and sfeed with its own shell script. Each is configured as its manual says, with
 * as many parallel jobs as ours. A shell's `times` gives the CPU time of them and all their children; their memory is not measured, because
 * it is spread over many short processes.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cost, Runner } from './rounds.ts'

export interface Peer {
  name: string
  /** Undefined if it is not installed. */
  start(port: number, feeds: number, folder: string): Runner | undefined
}

export const PEERS: Peer[] = [
  {
    name: 'newsboat',
    start(port, feeds, folder) {
      if (!isInstalled('newsboat')) return undefined
      const file = (name: string, text: string) => written(folder, `newsboat-${name}`, text)
      const urls = file('urls', addresses(port, feeds).join('\n'))
      const config = file('config', 'reload-threads 32\ndownload-retries 1\n')
      return runnerOf('newsboat', ['-u', urls, '-C', config, '-c', join(folder, 'newsboat.db'), '-x', 'reload'])
    },
  },
  {
    name: 'sfeed',
    start(port, feeds, folder) {
      if (!isInstalled('sfeed_update')) return undefined
      mkdirSync(join(folder, 'sfeed'))
      const lines = addresses(port, feeds).map((url, i) => `feed "f${i}" "${url}"`)
      const script = `sfeedpath="${join(folder, 'sfeed')}"\nmaxjobs=32\nfeeds() {\n${lines.join('\n')}\n}\n`
      return runnerOf('sfeed_update', [written(folder, 'sfeedrc', script)])
    },
  },
]

function addresses(port: number, feeds: number): string[] {
  return Array.from({ length: feeds }, (_, i) => `http://f${i}.localhost:${port}/feed`)
}

function written(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `${text}\n`)
  return path
}

function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0
}

function runnerOf(command: string, args: string[]): Runner {
  return {
    async run() {
      const began = performance.now()
      const script = '"$0" "$@" >/dev/null 2>&1; times'
      const { stdout } = await promisify(execFile)('sh', ['-c', script, command, ...args])
      return {
        cpuMs: childrensCpuMs(stdout),
        laterCpuMs: 0,
        wallMs: performance.now() - began,
        rssMb: Number.NaN,
        peakMb: Number.NaN,
      } satisfies Cost
    },
    close: async () => {},
  }
}

/** The second line of `times` is that of the children: "0m1.230000s 0m0.450000s". */
function childrensCpuMs(times: string): number {
  const [, line = ''] = times.trim().split('\n')
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  return 1000 * parts.reduce((sum, part) => sum + part, 0)
}
