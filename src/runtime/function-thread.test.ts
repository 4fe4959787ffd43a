import { afterEach, expect, it } from 'vitest'
import type { Chore } from './answers.fixture.ts'
import { createThread, type Thread, type ThreadOptions } from './function-thread.ts'

let thread: Thread | undefined
afterEach(() => thread?.close())

const module = new URL('./answers.fixture.ts', import.meta.url).href

function asking(options: Partial<ThreadOptions> = {}) {
  const created = createThread({ module, ...options })
  thread = created
  return (question: Chore, handedOver?: ArrayBuffer[]) => created.ask(question, handedOver)
}

it('answers each question in its turn', async () => {
  const ask = asking()
  const asked = await Promise.all([1, 2, 3].map((n) => ask({ kind: 'double', n })))
  expect(asked).toEqual([{ answer: 2 }, { answer: 4 }, { answer: 6 }])
})

it('takes over what it is handed', async () => {
  const bytes = new Uint8Array(1000)
  expect(await asking()({ kind: 'length', bytes }, [bytes.buffer])).toEqual({ answer: 1000 })
  expect(bytes.length).toBe(0)
})

it('gives up a question that takes too long, and answers the next', async () => {
  const ask = asking({ patienceMs: 50 })
  const [late, next] = [ask({ kind: 'hang' }), ask({ kind: 'double', n: 1 })]
  expect(await late).toEqual({ gaveUp: 'it took more than 0.05 s' })
  expect(await next).toEqual({ answer: 2 })
})

it('says what went wrong, and answers the next', async () => {
  const ask = asking()
  expect(await ask({ kind: 'throw' })).toEqual({ gaveUp: 'it cannot be done' })
  expect(await ask({ kind: 'double', n: 1 })).toEqual({ answer: 2 })
})

it('goes on with a new thread when the old one has waited long enough', async () => {
  const ask = asking({ idleMs: 1 })
  for (let i = 0; i < 3; i++) {
    expect(await ask({ kind: 'double', n: i })).toEqual({ answer: 2 * i })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})
