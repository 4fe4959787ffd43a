/**
 * Smoke test: starts the README's first command on a new store and a free port, checks the page (a checkout builds it), starts a village of
 * one site, adds that site from a second process like a user, waits until its entries come out of the API, and stops the program.
 * Everything stays on loopback and has a time limit; a failure shows the program's output.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../src/clocks/index.ts'
import { createVillage } from '../src/lab/index.ts'
import { freePort } from './free-port.ts'

const HEADLINE = 'A goose was seen in the smoke'
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'freshet-smoke-'))
const port = await freePort()
const api = `http://127.0.0.1:${port}`
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FRESHET_'))),
  FRESHET_STORE: join(folder, 'smoke.db'),
  FRESHET_PORT: String(port),
  FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
}

const village = createVillage({ clock: systemClock(), sites: [{ name: 'gazette', feeds: [{ path: '/feed' }] }] })
const open = await village.listen()
const site = village.site('gazette')
site.publish({ title: HEADLINE })

const program = spawn('npm', ['start'], {
  cwd: root,
  env: environment,
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
})
let output = ''
for (const stream of [program.stdout, program.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))

try {
  const health = await until('answers at /healthz', 30_000, async () => {
    if (ended(program)) throw new Error(`npm start ended with ${program.exitCode ?? program.signalCode}`)
    const answer = await get('/healthz')
    return answer.ok ? answer.text() : undefined
  })
  console.log(`npm start answers at ${api}/healthz: ${health}`)

  const page = await until('serves its page', 120_000, async () => {
    const answer = await fetch(`${api}/`, { signal: AbortSignal.timeout(60_000) })
    return answer.ok ? answer.text() : undefined
  })
  if (!/assets\/[\w.-]+\.js/.test(page)) throw new Error(`GET / is not the page: ${page.slice(0, 200)}`)
  console.log('GET /: the page')

  const words = ['bin/freshet.js', 'add', site.home]
  const added = await promisify(execFile)(process.execPath, words, { cwd: root, env: environment, timeout: 60_000 })
  console.log(`freshet add ${site.home}: ${added.stdout.trim()}`)

  const entries = await until(`has the entry "${HEADLINE}"`, 30_000, async () => {
    const answer = (await (await get('/api/v1/entries')).json()) as { entries: { title: string }[] }
    return answer.entries.some(({ title }) => title === HEADLINE) ? answer.entries : undefined
  })
  console.log(`GET /api/v1/entries: ${entries.length} entries, the first is "${entries[0]?.title}"`)

  process.kill(lastDescendant(program.pid!), 'SIGTERM')
  await until('ends when it is told to', 20_000, async () => ended(program) || undefined)
  if (program.exitCode !== 0) throw new Error(`it ended with ${program.exitCode ?? program.signalCode} instead of 0`)
  console.log('SIGTERM: it ended with 0')
} catch (error) {
  console.error(`npm start said:\n${output}`)
  throw error
} finally {
  if (!ended(program)) process.kill(-program.pid!, 'SIGKILL')
  await open.close()
  rmSync(folder, { recursive: true })
}

function get(path: string): Promise<Response> {
  return fetch(`${api}${path}`, { signal: AbortSignal.timeout(5_000) })
}

/** Retries until there is a response; a refused connection is none. */
async function until<T>(what: string, timeoutMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs
  while (Date.now() < giveUpAt) {
    const answer = await ask().catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error // fetch throws a TypeError if nothing listens
      return undefined
    })
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`waited ${timeoutMs / 1000} s in vain until it ${what}`)
}

/** npm starts a shell that starts the program; a signal to npm would end the shell but not the program. */
function lastDescendant(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return child ? lastDescendant(Number(child)) : pid
}

function ended({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
