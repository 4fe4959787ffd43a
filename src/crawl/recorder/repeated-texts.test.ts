import { describe, expect, it } from 'vitest'
import type { ArticleId } from '../../model/index.ts'
import { createRepeatedTexts } from './repeated-texts.ts'

const NOTICE = 'We and our partners store cookies on your device. Accept all, or manage your choices.'
const id = (number: number) => number as ArticleId

describe('a text on several pages of a site', () => {
  it('is detected at the third title, and the first articles are retracted', () => {
    const { isRepeated } = createRepeatedTexts()
    expect(isRepeated('a.example', NOTICE, 'Flood', id(1))).toEqual({ repeated: false, before: [] })
    expect(isRepeated('a.example', NOTICE, 'Fire', id(2))).toEqual({ repeated: false, before: [] })
    expect(isRepeated('a.example', NOTICE, 'Storm', id(3))).toEqual({ repeated: true, before: [1, 2] })
    expect(isRepeated('a.example', NOTICE, 'Frost', id(4))).toEqual({ repeated: true, before: [] })
    expect(isRepeated('b.example', NOTICE, 'Frost', id(5)).repeated).toBe(false)
  })

  it('is detected if it is the short shell of an aggregator', () => {
    const { isRepeated } = createRepeatedTexts()
    const shell = 'Headlines For you Following Sign in'
    const repeated = ['Flood', 'Fire', 'Storm'].map(
      (title, n) => isRepeated('aggregator.example', shell, title, id(n)).repeated,
    )
    expect(repeated).toEqual([false, false, true])
  })

  it('is not detected if numbers differ: reports from a template are articles', () => {
    const { isRepeated } = createRepeatedTexts()
    const report = (level: number) => `The river stood at ${level} cm at noon. Boats may pass the lower bridge.`
    for (let n = 1; n < 9; n++)
      expect(isRepeated('a.example', report(200 + n), `Level on day ${n}`, id(n)).repeated).toBe(false)
  })

  it('is not detected on one page whose entry changes its title', () => {
    const { isRepeated } = createRepeatedTexts()
    for (const title of ['Fire', 'Fire: two hurt', 'Fire: three hurt', 'Fire is out'])
      expect(isRepeated('a.example', NOTICE, title, id(1)).repeated).toBe(false)
  })
})
