import { expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const long = 'A word and then a word. '.repeat(40)

it.each<[string, Parameters<typeof excerptOf>[0], string | undefined]>([
  ['is the summary', { title: 'Rain', summary: '<p>It <b>rains</b>.</p>', content: 'All of it' }, 'It rains.'],
  [
    'is the content without a summary',
    { title: 'Rain', content: '<img src=x> It rains &amp; pours.' },
    'It rains & pours.',
  ],
  ['does not repeat the title', { title: 'Rain today', summary: 'Rain today: it pours.' }, 'it pours.'],
  [
    'keeps a title that begins a longer word',
    { title: 'Rain', summary: 'Rainbows everywhere.' },
    'Rainbows everywhere.',
  ],
  [
    'keeps the text of a post whose title is its beginning',
    { title: 'It rains and …', summary: 'It rains and pours.' },
    'It rains and pours.',
  ],
  ['does not repeat a heading', { title: 'Rain', summary: '<h1>Rain</h1><p>It pours.</p>' }, 'It pours.'],
  ['keeps a title that begins a sentence', { title: 'Rain', summary: 'Rain falls.' }, 'Rain falls.'],
  ['is missing if the text is only the title', { title: 'Rain', summary: '<p>Rain</p>' }, undefined],
  ['is missing without a text', { title: 'Rain' }, undefined],
])('%s', (_, entry, excerpt) => expect(excerptOf(entry)).toBe(excerpt))

it('ends after a word, and never inside of a tag', () => {
  expect(excerptOf({ title: '', summary: long })).toMatch(/^A word.{240,275} …$/)
  const html = `<p>Short</p>${'<i></i>'.repeat(855)}<a href="${'x'.repeat(300)}">`
  expect(excerptOf({ title: '', summary: html })).toBe('Short')
})

it('is the description of the article if the feed has titles only', () => {
  const article = { facts: { description: 'It rains.', words: 3 } } as never
  expect(excerptOf({ title: 'Rain' }, { article })).toBe('It rains.')
  expect(excerptOf({ title: 'Rain', summary: 'Here.' }, { article, withoutBoilerplate: () => '' })).toBeUndefined()
})
