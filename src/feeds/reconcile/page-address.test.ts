import { describe, expect, it } from 'vitest'
import type { EntryDraft } from '../../model/index.ts'
import { hasFullText, pageAddress } from '../index.ts'

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
  const text = (n: number) => 'Several words of a text. '.repeat(Math.ceil(n / 25))
  const entry = (fields: Partial<EntryDraft>): EntryDraft => ({ key: 'k', title: 't', ...fields })
  const feed = (fields: Partial<EntryDraft>) => Array.from({ length: 10 }, () => entry(fields))

  it.each<[string, EntryDraft[], boolean]>([
    ['long content', feed({ content: `<p>${text(3000)}</p>` }), true],
    ['a short teaser', feed({ summary: text(200) }), false],
    ['a long summary', feed({ summary: text(3000) }), true],
    ['a summary in addition to the content', feed({ summary: text(100), content: text(1000) }), true],
    ['truncated content', feed({ content: `${text(1000)} and so […]` }), false],
    [
      'content that links to its continuation',
      feed({ content: `<p>${text(800)}</p><a href="/x">Weiterlesen »</a>` }),
      false,
    ],
    ['titles only', feed({}), false],
    ['no texts', [], false],
    [
      'mostly full texts',
      [...feed({ content: text(900) }).slice(0, 7), ...feed({ summary: 'short' }).slice(0, 3)],
      true,
    ],
    ['mostly teasers', [...feed({ content: text(900) }).slice(0, 3), ...feed({ summary: 'short' }).slice(0, 7)], false],
    ['posts without a title', feed({ title: '', summary: text(80) }), true],
    [
      'posts whose title is the beginning of their text',
      feed({ title: `${text(25).trim()} Sev…`, summary: text(300) }),
      true,
    ],
    ['posts that end like a teaser', feed({ title: '', summary: `${text(80)} Read more` }), false],
    [
      'headlines repeated as the text',
      feed({ title: 'A headline of some words', summary: 'A headline of some words' }),
      false,
    ],
    ['pictures without a title or text', feed({ title: '', summary: '<img src="https://a.example/a.jpg">' }), false],
  ])('%s', (_, entries, expected) => expect(hasFullText(entries)).toBe(expected))

  it('reads a limited part of each text', () => {
    expect(hasFullText(Array.from({ length: 5000 }, () => entry({ content: '<b>'.repeat(100_000) })))).toBe(false)
  })
})
