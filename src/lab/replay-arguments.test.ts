import { describe, expect, it } from 'vitest'
import { strategies } from '../scheduling/index.ts'
import { budgetsIn, strategiesIn } from './replay-arguments.ts'

describe('strategies', () => {
  it.each([
    ['fixed', ['fixed']],
    ['fixed, moving-average', ['fixed', 'moving-average']],
    ['fixed:1d,adva-rss:max=640,round=8m,fixed', ['fixed:1d', 'adva-rss:max=640,round=8m', 'fixed']],
    ['fixed,fixed', ['fixed']],
  ])('are parsed from "%s"', (text, names) => {
    expect(strategiesIn(text)).toEqual(names)
  })

  it('are all for "all"', () => {
    const recipes = strategiesIn('all').map((name) => name.split(':')[0])
    for (const name of Object.keys(strategies)) expect(recipes).toContain(name)
    expect(strategiesIn('all')).toContain('fixed:1d')
  })

  it.each([
    ['astrology', /unknown strategy "astrology"/],
    ['fixed:every=never', /cannot be "never"/],
    [' , ', /no strategy is named/],
  ])('are rejected: "%s"', (text, words) => {
    expect(() => strategiesIn(text)).toThrow(words)
  })
})

describe('budgets', () => {
  it('are numbers, or the polls of another strategy', () => {
    expect(budgetsIn('5000/d,200/h, match:adva-rss:max=640')).toEqual([
      { kind: 'polls', perDay: 5000 },
      { kind: 'polls', perDay: 4800 },
      { kind: 'match', strategy: 'adva-rss:max=640' },
    ])
    expect(budgetsIn(undefined)).toContainEqual({ kind: 'match', strategy: 'moving-average' })
  })

  it.each(['0', '-1', 'much', 'match:', 'match:astrology', '5/y'])('are rejected: "%s"', (text) => {
    expect(() => budgetsIn(text)).toThrow(/cannot be|unknown strategy/)
  })
})
