/** A thread that says when it is ready, and reads documents, one after the other: see reading-room.ts. */
import { parentPort } from 'node:worker_threads'
import { readAnswer } from './reading.ts'
import { type Question, withoutMore } from './reading-room.ts'

parentPort?.on('message', ({ answer, now, bodyHash }: Question) => {
  parentPort?.postMessage(withoutMore(readAnswer(answer, now, bodyHash)))
})
parentPort?.postMessage('ready')
