import { expect, it } from 'vitest'
import type { ParsedEntry } from '../../feeds/index.ts'
import { draftOf } from './entry-draft.ts'

const entry = (extras: Partial<ParsedEntry>): ParsedEntry => ({ key: 'k', title: 'T', ...extras })

it('keeps an episode with its recording, cover, hosts and guests', () => {
  const draft = draftOf(
    entry({
      enclosures: [{ url: 'https://a.example/12.mp3', type: 'audio/mpeg', bytes: 7 }],
      image: 'https://a.example/12.jpg',
      durationMs: 60_000,
      season: 2,
      episode: 12,
      explicit: false,
      authors: [{ name: 'Ada', email: 'ada@a.example' }],
      persons: [{ name: 'Bo', role: 'guest', image: 'https://a.example/bo.jpg' }],
      transcripts: [{ url: 'https://a.example/12.vtt', type: 'text/vtt', language: 'en' }],
      chaptersUrl: 'https://a.example/12.json',
    }),
  )
  expect(draft).toEqual({
    key: 'k',
    title: 'T',
    media: [
      { url: 'https://a.example/12.mp3', kind: 'audio', type: 'audio/mpeg', bytes: 7, durationMs: 60_000 },
      { url: 'https://a.example/12.jpg', kind: 'image', preview: true },
    ],
    people: [
      { name: 'Ada', email: 'ada@a.example', role: 'author' },
      { name: 'Bo', role: 'guest', image: 'https://a.example/bo.jpg' },
    ],
    podcast: {
      durationMs: 60_000,
      season: 2,
      number: 12,
      explicit: false,
      chaptersUrl: 'https://a.example/12.json',
      transcripts: [{ url: 'https://a.example/12.vtt', type: 'text/vtt', language: 'en' }],
    },
  })
})

it('keeps tags without duplicates, comments, a place and a licence', () => {
  const draft = draftOf(
    entry({
      categories: [{ term: 'sea' }, { term: 'x7', label: 'The Sea' }, { term: 'sea' }, { term: ' ' }],
      commentsUrl: 'https://a.example/c',
      commentCount: 0,
      place: { latitude: 54.5, longitude: -1.25 },
      rights: 'Ours',
      licence: 'https://a.example/by',
    }),
  )
  expect(draft).toMatchObject({
    tags: ['sea', 'The Sea'],
    comments: { url: 'https://a.example/c', count: 0 },
    place: { latitude: 54.5, longitude: -1.25 },
    licence: 'https://a.example/by',
  })
})

it('drops addresses that are not http(s), and duplicates', () => {
  const draft = draftOf(
    entry({
      enclosures: [
        { url: 'javascript:alert(1)', type: 'image/png' },
        { url: 'data:image/png;base64,AA', type: 'image/png' },
        { url: `https://a.example/${'x'.repeat(3000)}` },
        { url: 'https://a.example/1.jpg', width: 10, height: 20 },
      ],
      thumbnails: [{ url: 'https://a.example/1.jpg' }],
      image: 'https://a.example/1.jpg',
      authors: [{ name: 'Ada' }, { name: 'Ada', url: 'mailto:ada@a.example' }, {}],
      transcripts: [{ url: 'ftp://a.example/x.vtt' }],
    }),
  )
  expect(draft.media).toEqual([{ url: 'https://a.example/1.jpg', kind: 'image', width: 10, height: 20, preview: true }])
  expect(draft.people).toEqual([{ name: 'Ada', role: 'author' }])
  expect(draft.podcast).toBeUndefined()
})
