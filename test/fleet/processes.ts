/** The program as processes that tests can kill, stop and continue; their output is kept. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Role = 'controller' | 'fetcher' | 'indexer' | 'serve'

export interface FleetProcess {
  role: Role
  pid: number
  output(): string
  /** Resolves when the output matches. */
  until(what: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
  isAlive(): boolean
  /** Resolves with its exit code when it ends by itself. */
  ended: Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGINT. */
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
/** Shifts the clock of a process. */
const WRONG_CLOCK = new URL('./wrong-clock.ts', import.meta.url).href
const KEEP_COMPILED = new URL('./keep-compiled.ts', import.meta.url).href

/** Runs until the process ends; throws its output if it fails. */
export async function runProgram(words: string[], settings: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: '/tmp', ...named(settings) }
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'bin/freshet.js'), ...words], {
    cwd: '/tmp',
    env,
  })
  return stdout
}

function named(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`FRESHET_${name}`, value]))
}

export function startProcess(
  role: Role,
  settings: Record<string, string>,
  { clockOffMs = 0 }: { clockOffMs?: number } = {},
): FleetProcess {
  const before = [KEEP_COMPILED, ...(clockOffMs === 0 ? [] : [WRONG_CLOCK])]
  const child: ChildProcess = spawn(
    process.execPath,
    [...before.flatMap((module) => ['--import', module]), join(ROOT, 'bin/freshet.js'), role],
    {
      cwd: settings.CWD ?? '/tmp',
      env: { PATH: process.env.PATH, HOME: '/tmp', CLOCK_OFF_MS: String(clockOffMs), ...named(settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  let more = Promise.withResolvers<void>()
  const tell = (text: string) => {
    output = (output + text).slice(-200_000)
    more.resolve()
    more = Promise.withResolvers()
  }
  child.stdout?.setEncoding('utf8').on('data', tell)
  child.stderr?.setEncoding('utf8').on('data', tell)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  void gone.then(() => tell(''))

  return {
    role,
    pid: child.pid!,
    output: () => output,
    async until(what) {
      for (;;) {
        const found = what.exec(output)
        if (found) return found
        if (!isAlive()) throw new Error(`the ${role} ended and never said ${what}; it said:\n${output}`)
        await more.promise
      }
    },
    signal: (name) => void child.kill(name),
    isAlive,
    ended: gone.then(() => child.exitCode),
    async kill() {
      if (isAlive()) child.kill('SIGKILL')
      await gone
    },
    async stop() {
      if (isAlive()) {
        child.kill('SIGCONT')
        child.kill('SIGTERM')
      }
      await gone
    },
  }
}
