/**
 * Liveness and readiness of a fleet role over HTTP, for supervisors such as Kubernetes. `/livez`: its main loop turns; if not, only a restart
 * helps. `/readyz`: the services that it needs answer. No secret and no data: anybody on that network may ask.
 */
import { createServer } from 'node:http'
import { type Millis, SECOND } from '../model/index.ts'
import { type Clock, type Store, StoreError } from '../ports/index.ts'
import { ConfigError } from './config-error.ts'
import type { Probes } from './outage-log.ts'

export interface HealthParts {
  /** Such as 0.0.0.0:8081; empty: nothing is served. */
  address: string
  /** When the main loop last turned, by performance.now(); undefined as long as it has not begun. */
  lastBeatAt: () => number | undefined
  probes: Probes
}

/** The main loop turns every two seconds. */
const ALIVE_MS: Millis = 30 * SECOND
const PROBE_MS: Millis = 2 * SECOND

export async function startHealth({ address, lastBeatAt, probes }: HealthParts): Promise<() => Promise<void>> {
  if (address === '') return async () => {}
  const server = createServer(async ({ url, method }, answer) => {
    const isAsked = method === 'GET' || method === 'HEAD'
    const failed = url === '/livez' ? stuck(lastBeatAt()) : url === '/readyz' ? await failedProbes(probes) : undefined
    const status = !isAsked || failed === undefined ? 404 : failed.length > 0 ? 503 : 200
    answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    answer.end(status === 404 ? 'not found\n' : failed?.length ? `${failed.join('\n')}\n` : 'ok\n')
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

function stuck(lastBeatAt = performance.now()): string[] {
  const seconds = Math.round((performance.now() - lastBeatAt) / SECOND)
  return seconds * SECOND > ALIVE_MS ? [`the main loop has not turned for ${seconds} s`] : []
}

async function failedProbes(probes: Probes): Promise<string[]> {
  const failures = await Promise.all(
    Object.entries(probes).map(async ([service, probe]) => {
      const late = new Promise<boolean>((resolve) => setTimeout(resolve, PROBE_MS, false).unref())
      const isWell = await Promise.race([
        probe()
          .then(() => true)
          .catch(() => false),
        late,
      ])
      return isWell ? [] : [`the ${service} does not answer`]
    }),
  )
  return failures.flat()
}

const STORE_CHECKED_EVERY_MS: Millis = 5 * SECOND

/** Checks the store until the signal aborts. Waits for what may pass; rejects with what does not. */
export async function untilUnusable(
  store: Pick<Store, 'newestEntryId'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await store.newestEntryId().catch((error: unknown) => {
      if (error instanceof StoreError && !error.isPassing) throw error
    })
    await clock.sleepUntil(clock.now() + STORE_CHECKED_EVERY_MS, signal)
  }
}
