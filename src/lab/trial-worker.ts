/** A trial runner in a worker thread: answers requests one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { createTrialRunner, type Request } from './trial-runner.ts'

const bench = createTrialRunner(workerData)
parentPort?.on('message', (request: Request) => {
  try {
    parentPort?.postMessage({ answer: bench.answer(request) })
  } catch (error) {
    parentPort?.postMessage({ error })
  }
})
