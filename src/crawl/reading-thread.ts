/** A thread that says when it is ready, and reads documents, one after the other: see reading-room.ts. */
import { parentPort } from 'node:worker_threads'
import { answerTo, type Question } from './reading-room.ts'

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)))
parentPort?.postMessage('ready')
