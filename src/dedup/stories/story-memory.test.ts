/** Work that grows with the size of a story is done in steps, so that the caller can stop in between. */
import { expect, test } from 'vitest'
import { DAY } from '../../model/index.ts'
import { newStory, type Story, type Telling } from './story.ts'
import { createStoryMemory, type StoryMemory } from './story-memory.ts'

const MANY = 3000

function tell(memory: StoryMemory, story: Story, from: number): Telling[] {
  return Array.from({ length: MANY }, (_, i) => {
    const telling: Telling = {
      id: from + i,
      at: from + i,
      high: 0,
      low: 0,
      words: [from, from + i],
      text: '',
      unspaced: false,
    }
    memory.enter(story, telling)
    return telling
  })
}

test('merges a large story in steps', () => {
  const memory = createStoryMemory(DAY, 10 * MANY)
  const [one, other] = [newStory(1), newStory(2)]
  const tellings = [...tell(memory, one, 1), ...tell(memory, other, 1 + MANY)]
  memory.absorb(one, other)
  expect(one.size).toBe(2 * MANY)
  expect(tellings.every(({ story }) => story === one)).toBe(true)
})

test('removes everything outdated after a long silence', () => {
  const memory = createStoryMemory(DAY, 10 * MANY)
  tell(memory, newStory(1), 1)
  memory.forgetBefore(7 * DAY)
  expect(memory.size).toBe(0)
})
