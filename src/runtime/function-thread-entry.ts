/** The inside of a thread that answers questions (function-thread.ts): loads who answers them, says that it is ready, and begins. */
import { parentPort, workerData } from 'node:worker_threads'

const { module, answers }: { module: string; answers: string } = workerData
const { [answers]: answerTo }: Record<string, (question: unknown) => unknown> = await import(module)
parentPort?.on('message', (question) => parentPort?.postMessage(answerTo?.(question)))
parentPort?.postMessage('ready')
