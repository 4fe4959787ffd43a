/**
 * Entry of a function thread (function-thread.ts): loads the function's module, reports that it is ready, and answers
 * questions.
 */
import { parentPort, workerData } from 'node:worker_threads'

const { module, exportName }: { module: string; exportName: string } = workerData
const { [exportName]: answerTo }: Record<string, (question: unknown) => unknown> = await import(module)
parentPort?.on('message', (question) => parentPort?.postMessage(answerTo?.(question)))
parentPort?.postMessage('ready')
