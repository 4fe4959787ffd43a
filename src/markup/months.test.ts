import { describe, expect, test } from 'vitest'
import { monthOf } from './months.ts'

const LANGUAGES = 'en de nl da nb sv is fi et fr es pt it ro pl cs sk sl hu lt lv sq tr az ru uk be bg sr el he ta th'

describe('the months of', () => {
  test.each(LANGUAGES.split(' '))('%s are known by their names in a date', (language) => {
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2021, month - 1, 15))
      const name = parts.find(({ type }) => type === 'month')!.value
      expect([name, monthOf(name)?.number]).toEqual([name, month])
    }
  })
})

test.each([
  ['Sept.', 9],
  ['ноября', 11],
  ['kesäkuuta', 6],
  ['červen', 6],
  ['červenec', 7],
  ['paź', 10],
  ['pazartesi', undefined],
  ['maandag', undefined],
  ['product', undefined],
  ['constructor', undefined],
  ['', undefined],
])('%j is the month %j', (word, month) => {
  expect(monthOf(word)?.number).toBe(month)
})

test('Persian months are of their own calendar', () => {
  expect(monthOf('مهر')).toEqual({ number: 7, persian: true })
  expect(monthOf('March')).toEqual({ number: 3, persian: false })
})
