/**
 * A pgbouncer for tests, in transaction mode, on a free port, with fewer server connections than its clients want. Suites that need it
 * are skipped with the reason if it is not installed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tools/free-port.ts'

export interface Pgbouncer {
  /** The same database, through pgbouncer. */
  through(address: string): string
  close(): Promise<void>
}

export const PGBOUNCER_BINARY: string | undefined = [
  ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbouncer')),
  '/usr/sbin/pgbouncer',
].find((path) => existsSync(path))

const NOBODY = 65534

/** Starts it in front of the server with this address. */
export async function startPgbouncer(address: string, poolSize: number): Promise<Pgbouncer> {
  const home = mkdtempSync(join(tmpdir(), 'freshet-pgbouncer-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0 // it refuses to run as root
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${new URL(address).port} user=postgres`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = any\npool_mode = transaction\ndefault_pool_size = ${poolSize}\nmax_client_conn = 200`,
  ]
  const file = join(home, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`)
  if (isRoot) for (const path of [home, file]) chownSync(path, NOBODY, NOBODY)
  const child: ChildProcess = spawn(PGBOUNCER_BINARY!, ['-q', file], { ...as, cwd: home, stdio: 'ignore' })
  const atExit = () => void child.kill('SIGKILL')
  process.on('exit', atExit)
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    through(store) {
      const url = new URL(store)
      url.port = String(port)
      return url.href
    },
    async close() {
      const over = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGKILL')) await over
      process.off('exit', atExit)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
