import { describe, expect, test } from 'vitest'
import { CONTENT, FILLER, kindOfWord, NUMBER, SERIAL } from './word-kinds.ts'
import { wordsOf } from './words.ts'

describe('words', () => {
  test.each([
    ['letters and digits, without case', 'The A123 fell', ['the', 'a123', 'fell']],
    ['apostrophes and hyphens part words', "Harbour's re-opening", ['harbour', 's', 're', 'opening']],
    ['a number keeps its point and comma', 'up 3.5 % to 1,200.', ['up', '3.5', 'to', '1,200']],
    ['a score is two numbers', '4:3', ['4', '3']],
    ['accents go', 'École à Zürich, Łódź', ['ecole', 'a', 'zurich', 'łodz']],
    ['Turkish capitals meet small letters', 'İSTANBUL ısı', ['istanbul', 'isi']],
    ['German sharp s is two', 'Straße STRASSE', ['strasse', 'strasse']],
    ['Arabic points and tatweel go', 'مُحَمَّد أحـمد', ['محمد', 'احمد']],
    ['Han is taken in pairs', '洪水来了', ['洪水', '水来', '来了']],
    ['quotes inside Han are passed over', '他说“不行”吗', ['他说', '说不', '不行', '行吗']],
    ['Han numerals are figures', '赔一千万，第二十三届', ['赔', '1000', '万', '第', '23', '届']],
    ['also without places', '九一八与二〇二六', ['918', '与', '2026']],
    ['but a single one is a part of a word', '唯一的', ['唯一', '一的']],
    ['Kana stay composed', 'ガガク', ['ガガ', 'ガク']],
    ['Thai is taken in pairs', 'กขคง', ['กข', 'ขค', 'คง']],
    ['Korean has spaces', '서울 지하철', ['서울', '지하철']],
    ['scripts part words', 'iPhone发布 5G网', ['iphone', '发布', '5g', '网']],
    ['full width is plain', 'ＡＢＣ１２３', ['abc123']],
    ['soft hyphens vanish', 'har\u00adbour', ['harbour']],
    ['nothing', ' … — ', []],
  ])('%s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('stop at the requested number', () => {
    expect(wordsOf('one two three four', 2)).toEqual(['one', 'two'])
    expect(wordsOf('洪水来了', 2)).toEqual(['洪水', '水来'])
  })
})

test.each([
  [FILLER, ['the', 'of', 'über', 'avec', 'который', 'için']],
  [CONTENT, ['harbour', 'goose', '洪水', 'กข', 'наводнение']],
  [NUMBER, ['7', '3.5', '2nd', '١٢', '第五', '十四', '三月']],
  [SERIAL, ['november', 'nov', 'tuesday', 'second', 'seven', 'iii', 'août', 'пятница', 'salı']],
])('kind %i', (kind, words) => {
  for (const word of words.flatMap((word) => wordsOf(word))) expect([word, kindOfWord(word)]).toEqual([word, kind])
})
