/** A thread that says when it is ready, and reads documents, one after the other: see parse-worker.ts. */
import { parentPort } from 'node:worker_threads'
import { answerTo, type Question } from './parse-worker.ts'

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)))
parentPort?.postMessage('ready')
