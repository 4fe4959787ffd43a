/**
 * Liveness and readiness of a fleet role over HTTP, for supervisors such as Kubernetes. `/livez`: the main loop runs; if it does not, only a
 * restart helps. `/readyz`: the services that the role needs respond. Responses have no secrets or data, so requests need no login.
 */
import { createServer } from 'node:http'
import { type Millis, SECOND } from '../model/index.ts'
import { type Clock, type Store, StoreError } from '../ports/index.ts'
import { ConfigError } from './config-error.ts'
import type { Probes } from './outage-log.ts'

export interface HealthOptions {
  /** Host and port, such as 0.0.0.0:8081. Empty: no endpoints. */
  address: string
  /** When the main loop last ran, by performance.now(). Undefined before its first run. */
  lastBeatAt: () => number | undefined
  probes: Probes
}

/** The main loop runs every two seconds. */
const MAX_BEAT_AGE_MS: Millis = 30 * SECOND
const PROBE_TIMEOUT_MS: Millis = 2 * SECOND

export async function startHealth({ address, lastBeatAt, probes }: HealthOptions): Promise<() => Promise<void>> {
  if (address === '') return async () => {}
  const server = createServer(async ({ url, method }, response) => {
    const isSupported = method === 'GET' || method === 'HEAD'
    const problems =
      url === '/livez'
        ? describeStuckLoop(lastBeatAt())
        : url === '/readyz'
          ? await describeFailedProbes(probes)
          : undefined
    const status = !isSupported || problems === undefined ? 404 : problems.length > 0 ? 503 : 200
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(status === 404 ? 'not found\n' : problems?.length ? `${problems.join('\n')}\n` : 'ok\n')
  })
  const [, host = '', port] = /^(?:\[?(.*?)\]?:)?(\d+)$/.exec(address) ?? []
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(`--health cannot listen on ${address}: ${error.code}`, 'choose a free port on this machine'),
      ),
    )
    server.listen(Number(port), host || '127.0.0.1', resolve)
  })
  server.unref()
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function describeStuckLoop(lastBeatAt = performance.now()): string[] {
  const seconds = Math.round((performance.now() - lastBeatAt) / SECOND)
  return seconds * SECOND > MAX_BEAT_AGE_MS ? [`the main loop has not run for ${seconds} s`] : []
}

async function describeFailedProbes(probes: Probes): Promise<string[]> {
  const failures = await Promise.all(
    Object.entries(probes).map(async ([service, probe]) => {
      const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS, false).unref())
      const isWell = await Promise.race([
        probe()
          .then(() => true)
          .catch(() => false),
        timeout,
      ])
      return isWell ? [] : [`the ${service} does not answer`]
    }),
  )
  return failures.flat()
}

const STORE_CHECK_INTERVAL_MS: Millis = 5 * SECOND

/** Checks the store until the signal aborts. Ignores transient errors and rejects with permanent ones. */
export async function watchStore(
  store: Pick<Store, 'newestEntryId'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await store.newestEntryId().catch((error: unknown) => {
      if (error instanceof StoreError && !error.isTransient) throw error
    })
    await clock.sleepUntil(clock.now() + STORE_CHECK_INTERVAL_MS, signal)
  }
}
