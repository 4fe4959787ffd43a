/** The inside of a thread that answers questions (thread.ts): loads who answers them, says that it is ready, and begins. */
import { parentPort, workerData } from 'node:worker_threads'

const { answerTo }: { answerTo: (question: unknown) => unknown } = await import(workerData)
parentPort?.on('message', (question) => parentPort?.postMessage(answerTo(question)))
parentPort?.postMessage('ready')
