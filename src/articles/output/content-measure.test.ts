import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComparedTexts, measureContent, richerText } from './content-measure.ts'

const p = (words: number) => `<p>${'wort '.repeat(words).trim()}.</p>`
const compare = (feed: string, page: string, more: Partial<ComparedTexts> = {}) =>
  richerText({ feed: measureContent(feed), page: measureContent(page), ...more })

describe('measures content', () => {
  test.each([
    ['', { words: 0, items: 0, media: 0, links: 0 }],
    [p(3), { words: 3, items: 0, media: 0, links: 0 }],
    ['<ul><li>one</li><li>two</li></ul>', { words: 2, items: 2, media: 0, links: 0 }],
    [
      '<figure><img src="https://a.example/a.jpg" alt=""></figure><video controls></video>',
      { words: 0, items: 0, media: 2, links: 0 },
    ],
    ['<p><a href="https://a.example/">here</a> <a>there</a></p>', { words: 2, items: 0, media: 0, links: 1 }],
    ['<p>東京の天気</p>', { words: 3, items: 0, media: 0, links: 0 }],
    ['<table><tr><td>1</td></tr></table><line></line>', { words: 1, items: 1, media: 0, links: 0 }],
  ])('%s', (html, measure) => expect(measureContent(html)).toEqual(measure))
})

describe('chooses the richer text', () => {
  const notes = `${p(40)}<ul>${'<li><a href="https://a.example/x">A thing we talked about</a></li>'.repeat(8)}</ul>`
  test.each<[string, string, string, 'feed' | 'page' | undefined, Partial<ComparedTexts>?]>([
    ['neither has one', '', '', undefined],
    ['only the feed', p(5), '', 'feed'],
    ['only the page', '', p(5), 'page'],
    ['a full page and a teaser', p(40), p(600), 'page'],
    ['a full feed and a blurb of the page', p(600), p(40), 'feed'],
    ['the same text: the feed has no remains of the layout', p(300), p(310), 'feed'],
    [
      'the same words, with pictures on the page',
      p(300),
      `${p(300)}${'<figure><img src="x"></figure>'.repeat(2)}`,
      'page',
    ],
    ['show notes with a list and a page that lost it', notes, p(85), 'feed'],
    ['a picture alone and an empty page', '<img src="https://a.example/a.jpg">', '', 'feed'],
    ['a teaser as long as what could be read of the page', p(50), p(48), 'page', { isTeaser: true }],
    ['a long text that merely ends like a teaser', p(500), p(48), 'feed', { isTeaser: true }],
    ['show notes and the transcript', notes, p(9000), 'feed', { isTranscript: true }],
    ['a name of the episode and the transcript', p(4), p(9000), 'page', { isTranscript: true }],
    ['a page of links', p(60), '<p><a href="https://a.example/">Home</a></p>'.repeat(30), 'feed'],
  ])('%s', (_name, feed, page, expected, more) => expect(compare(feed, page, more)).toBe(expected))

  test('more of the same never loses', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(30), fc.nat(5), (words, items, media) => {
        const text = (n: number) =>
          measureContent(`${p(n * words)}${'<li>one thing'.repeat(n * items)}${'<img src="x">'.repeat(n * media)}`)
        const [less, more] = [text(1), text(2)]
        if (less.words + less.media === 0) return
        expect(richerText({ feed: more, page: less })).toBe('feed')
        expect(richerText({ feed: less, page: more })).toBe('page')
      }),
    )
  })
})
