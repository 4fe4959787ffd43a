import { expect, test } from 'vitest'
import { chooseLanguage, localeFor } from './choose-language.ts'

const AVAILABLE = ['ar', 'de', 'en', 'pt', 'zh-Hans']

test.each([
  [['de', 'en-GB'], 'de'],
  [['', 'de-AT', 'en'], 'de'],
  [['sv', 'pt-BR'], 'pt'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-TW', 'ar-EG'], 'ar'],
  [['pt_BR.UTF-8'], 'pt'],
  [['*', 'c', 'en-US@posix'], 'en'],
  [['sv'], 'en'],
  [[], 'en'],
])('of the wanted languages %j, chooses %s', (wanted, expected) => {
  expect(chooseLanguage(wanted, AVAILABLE)).toBe(expected)
})

test.each([
  ['de', ['en-GB', 'de-AT', 'de'], 'de-AT'],
  ['en', ['sv', 'en-US@posix'], 'en-US'],
  ['zh-Hans', ['zh-TW', 'zh-SG'], 'zh-SG'],
  ['de', ['', 'c', 'sv'], 'de'],
])('for texts in %s and the browser languages %j, uses the locale %s', (language, names, expected) => {
  expect(localeFor(language, names)).toBe(expected)
})
