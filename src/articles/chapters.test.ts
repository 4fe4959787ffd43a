/** Chapters of recordings, from JSON and from show notes. */
import { describe, expect, it } from 'vitest'
import { chaptersInText, MAX_CHAPTERS, mayBeChapters, readChapters } from './chapters.ts'

describe('JSON chapters', () => {
  it('are read in order, without hidden, nameless and impossible ones', () => {
    const chapters = [
      { startTime: 90.5, title: ' The  mill ', url: 'https://mill.example/' },
      { startTime: 0, title: 'Opening', url: 'javascript:alert(1)' },
      { startTime: 30, title: 'Advertisement', toc: false },
      { startTime: 40 },
      { startTime: -1, title: 'Before' },
      { startTime: null, title: 'Never' },
      { startTime: 'soon', title: 'Later' },
      { startTime: 90.5, title: 'At the same time' },
      null,
    ]
    expect(readChapters(JSON.stringify({ version: '1.2.0', chapters }))).toEqual([
      { startSeconds: 0, title: 'Opening' },
      { startSeconds: 90.5, title: 'The mill', url: 'https://mill.example/' },
    ])
  })

  it('are undefined for other documents', () => {
    for (const document of ['', '{', 'null', '[]', '{"chapters":1}', '<html>'])
      expect(readChapters(document)).toBeUndefined()
  })

  it('are at most five hundred', () => {
    const chapters = Array.from({ length: MAX_CHAPTERS + 10 }, (_, i) => ({ startTime: i, title: `${i}` }))
    expect(readChapters(JSON.stringify({ chapters }))).toHaveLength(MAX_CHAPTERS)
  })

  it('have a type of their own, or a general one', () => {
    for (const type of ['application/json+chapters', 'application/json', 'text/plain'])
      expect(mayBeChapters(type)).toBe(true)
    expect(mayBeChapters('text/html')).toBe(false)
  })
})

describe('chapter lines of show notes', () => {
  it.each([
    ['0:00 Opening\n1:30 The mill', [0, 90]],
    ['Today:\n00:00 - Opening\n• (01:02:03) The mill\n[1:10:00] End', [0, 3723, 4200]],
    ['0:00–1:30 Opening\n1:30–2:00: The mill', [0, 90]],
    ['75:00 Late\n120:30 Later', [4500, 7230]],
  ])('%j', (text, starts) => {
    const chapters = chaptersInText(text)
    expect(chapters.map(({ startSeconds }) => startSeconds)).toEqual(starts)
    for (const { title } of chapters) expect(title).toMatch(/^[A-Z]/)
  })

  it.each(['We meet at 12:30 at the mill.', '12:30 The only time', '9:99 Nonsense\n10:99 More', '5:00\n6:00'])(
    'are not found in %j',
    (text) => expect(chaptersInText(text)).toEqual([]),
  )

  it('have increasing times within the recording', () => {
    const text = '0:00 One\n2:00 Two\n1:00 Back\n3:00 Three\n9:00 After the end'
    expect(chaptersInText(text, 200).map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
  })
})
