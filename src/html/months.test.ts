import { describe, expect, test } from 'vitest'
import { monthNamed, monthOf } from './months.ts'

const LANGUAGES = 'en de nl da nb sv is fi et fr es pt it ro pl cs sk sl hu lt lv sq tr az ru uk be bg sr el he ta th'

describe('the months of', () => {
  test.each(LANGUAGES.split(' '))('%s are recognized as they appear in a date', (language) => {
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

test('Persian months belong to their own calendar', () => {
  expect(monthOf('مهر')).toEqual({ number: 7, persian: true })
  expect(monthOf('March')).toEqual({ number: 3, persian: false })
})

test.each(['en', 'de', 'nl', 'sv', 'fr', 'es', 'pt', 'it', 'pl', 'tr', 'ru', 'uk', 'el'])(
  'the months of %s are known by whole names that stand alone',
  (language) => {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    const numbers = Array.from({ length: 12 }, (_, i) => monthNamed(format.format(Date.UTC(2021, i, 15)))?.number)
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  },
)

test.each(['Marketing', 'Decor', 'Mayor', 'Augsburg', 'constructor', ''])(
  '%j is no month that stands alone',
  (word) => {
    expect(monthNamed(word)).toBeUndefined()
  },
)
