import { afterEach, expect, it } from 'vitest'
import type { Question } from './answers.fixture.ts'
import { createThread, type Thread, type ThreadOptions } from './function-thread.ts'

let thread: Thread | undefined
afterEach(() => thread?.close())

const module = new URL('./answers.fixture.ts', import.meta.url).href

function startThread(options: Partial<ThreadOptions> = {}) {
  const created = createThread({ module, ...options })
  thread = created
  return (question: Question, transferred?: ArrayBuffer[]) => created.ask(question, transferred)
}

it('answers questions in order', async () => {
  const ask = startThread()
  const answers = await Promise.all([1, 2, 3].map((n) => ask({ kind: 'double', n })))
  expect(answers).toEqual([{ answer: 2 }, { answer: 4 }, { answer: 6 }])
})

it('detaches transferred buffers', async () => {
  const bytes = new Uint8Array(1000)
  expect(await startThread()({ kind: 'length', bytes }, [bytes.buffer])).toEqual({ answer: 1000 })
  expect(bytes.length).toBe(0)
})

it('fails a question that takes too long, and answers the next', async () => {
  const ask = startThread({ timeoutMs: 50 })
  const [late, next] = [ask({ kind: 'hang' }), ask({ kind: 'double', n: 1 })]
  expect(await late).toEqual({ error: 'it took more than 0.05 s' })
  expect(await next).toEqual({ answer: 2 })
})

it('returns the error of a failed question, and answers the next', async () => {
  const ask = startThread()
  expect(await ask({ kind: 'throw' })).toEqual({ error: 'it cannot be done' })
  expect(await ask({ kind: 'double', n: 1 })).toEqual({ answer: 2 })
})

it('starts a new thread after an idle one has ended', async () => {
  const ask = startThread({ idleMs: 1 })
  for (let i = 0; i < 3; i++) {
    expect(await ask({ kind: 'double', n: i })).toEqual({ answer: 2 * i })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})
