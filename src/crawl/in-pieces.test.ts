import { expect, it } from 'vitest'
import type { Steps } from '../model/index.ts'
import { inTurnsIf } from './in-pieces.ts'

function* counting(to: number): Steps<number> {
  for (let i = 0; i < to; i++) yield
  return to
}

it('what is little is done at once; what seemed to be, and is not, gives others their turn', async () => {
  expect(inTurnsIf(false, counting(20))).toBe(20)
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  expect(await inTurnsIf(false, counting(5000))).toBe(5000)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(5)
})
