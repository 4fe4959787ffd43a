/** Entry of a worker thread: loads the given module, opens its objects and serves calls of their methods. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, WorkerStart } from './thread-protocol.ts'

enableCompileCache() // a worker does not inherit it
// Imported after the cache is enabled, so that they are loaded from it.
const { sendableError } = await import('./thread-protocol.ts')
const { serveCalls } = await import('./serve-calls.ts')

const { module, open, data }: WorkerStart = workerData
const port = parentPort!
try {
  const { [open]: openTargets }: Record<string, (data: unknown) => unknown> = await import(module)
  const targets = (await openTargets!(data)) as Record<string, object>
  serveCalls(port, targets)
  const methods = Object.entries(targets).map(([name, target]) => [name, Object.keys(target)])
  port.postMessage({ targets: Object.fromEntries(methods) } satisfies FromWorker)
} catch (error) {
  port.postMessage({ failed: sendableError(error) } satisfies FromWorker)
  port.close()
}
