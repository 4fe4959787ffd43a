/** A bench in a thread of its own: answers requests one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { createBench, type Request } from './bench.ts'

const bench = createBench(workerData)
parentPort?.on('message', (request: Request) => {
  try {
    parentPort?.postMessage({ answer: bench.answer(request) })
  } catch (error) {
    parentPort?.postMessage({ error })
  }
})
