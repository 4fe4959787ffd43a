/**
 * A NATS server for tests, on a free port, with its own JetStream folder, stopped by process id. Tests can kill it, pause it, and start it
 * again on the same port with the same data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tools/free-port.ts'

export interface NatsServer {
  url: string
  port: number
  pid(): number
  /** SIGKILL. */
  kill(): Promise<void>
  /** With its data, or empty. */
  startAgain(has?: 'nothing'): Promise<void>
  close(): Promise<void>
}

/** Undefined if NATS is not installed; the suites that need it are then skipped with the reason. */
export const NATS_BINARY: string | undefined = [
  process.env.FRESHET_TEST_NATS_SERVER,
  ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'nats-server')),
  '/usr/sbin/nats-server',
  '/usr/local/bin/nats-server',
].find((path) => path && existsSync(path))

/** For the name of a suite that needs it. */
export const WITHOUT_NATS = NATS_BINARY ? '' : ' (skipped: there is no nats-server on this machine)'

export async function startNatsServer(more: readonly string[] = [], under: string = tmpdir()): Promise<NatsServer> {
  if (!NATS_BINARY) throw new Error('there is no nats-server on this machine')
  const folder = await mkdtemp(join(under, 'freshet-nats-'))
  const port = await freePort()
  let child = await started(port, folder, more)
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: () => child.pid!,
    kill: () => ended(child, 'SIGKILL'),
    async startAgain(has) {
      if (has === 'nothing') await rm(join(folder, 'jetstream'), { recursive: true })
      child = await started(port, folder, more)
    },
    async close() {
      await ended(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function started(port: number, folder: string, more: readonly string[]): Promise<ChildProcess> {
  const child = spawn(NATS_BINARY!, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port), ...more], {
    stdio: 'ignore',
  })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return child
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
