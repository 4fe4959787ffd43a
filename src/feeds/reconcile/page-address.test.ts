import { describe, expect, it } from 'vitest'
import type { EntryDraft } from '../../model/index.ts'
import { pageAddress, showsFullText } from '../index.ts'

describe('the page address of an entry', () => {
  it.each([
    ['https://a.example/2024/news', 'https://a.example/2024/news'],
    [' https://A.example/x#comment-3 ', 'https://a.example/x'],
    ['https://a.example/x?utm_source=rss&id=3&fbclid=abc', 'https://a.example/x?id=3'],
    ['https://a.example/?p=12', 'https://a.example/?p=12'],
    ['http://a.example:8080/x', 'http://a.example:8080/x'],
    ['https://a.example/', undefined],
    ['https://a.example', undefined],
    ['https://a.example/index.html', undefined],
    ['https://a.example/paper.PDF', undefined],
    ['https://a.example/show/12.mp3?token=1', undefined],
    ['https://a.example/rss.xml', undefined],
    ['ftp://a.example/x', undefined],
    ['mailto:a@b.example', undefined],
    ['tag:a.example,2024:1', undefined],
    ['not an address', undefined],
    [`https://a.example/${'x'.repeat(100_000)}`, undefined],
  ])('%s: %s', (url, expected) => expect(pageAddress(url)).toBe(expected))
})

describe('whether a feed contains full articles', () => {
  const words = (n: number) => 'Several words of a text. '.repeat(Math.ceil(n / 25))
  const entry = (said: Partial<EntryDraft>): EntryDraft => ({ key: 'k', title: 't', ...said })
  const feed = (said: Partial<EntryDraft>) => Array.from({ length: 10 }, () => entry(said))

  it.each<[string, EntryDraft[], boolean]>([
    ['long content', feed({ content: `<p>${words(3000)}</p>` }), true],
    ['a short teaser', feed({ summary: words(200) }), false],
    ['a long summary is a text', feed({ summary: words(3000) }), true],
    ['a summary beside the content', feed({ summary: words(100), content: words(1000) }), true],
    ['content that breaks off', feed({ content: `${words(1000)} and so […]` }), false],
    [
      'content that asks to go on elsewhere',
      feed({ content: `<p>${words(800)}</p><a href="/x">Weiterlesen »</a>` }),
      false,
    ],
    ['titles only', feed({}), false],
    ['nothing', [], false],
    ['mostly whole', [...feed({ content: words(900) }).slice(0, 7), ...feed({ summary: 'short' }).slice(0, 3)], true],
    ['mostly not', [...feed({ content: words(900) }).slice(0, 3), ...feed({ summary: 'short' }).slice(0, 7)], false],
  ])('%s', (_, entries, expected) => expect(showsFullText(entries)).toBe(expected))

  it('reads a limited part of each text', () => {
    expect(showsFullText(Array.from({ length: 5000 }, () => entry({ content: '<b>'.repeat(100_000) })))).toBe(false)
  })
})
