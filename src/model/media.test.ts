import { describe, expect, it } from 'vitest'
import { address } from './address.fixture.ts'
import { bestPicture, type Medium, mediumKind, recordingOf, smallPicture } from './media.ts'

describe('the kind of a medium', () => {
  it.each([
    ['audio/mpeg', undefined, 'https://a.example/x', 'audio'],
    ['Video/MP4', 'image', 'https://a.example/x', 'video'],
    [undefined, 'image', 'https://a.example/x', 'image'],
    ['application/pdf', undefined, 'https://a.example/x', 'document'],
    [undefined, undefined, 'https://a.example/x.MP3?id=7', 'audio'],
    ['application/octet-stream', undefined, 'https://a.example/x.webm#t=1', 'video'],
    ['application/x-shockwave-flash', undefined, 'https://a.example/v/7', 'other'],
    [undefined, 'executable', 'https://a.example/mp3', 'other'],
  ])('%s, %s, %s: %s', (type, medium, url, kind) => expect(mediumKind(type, medium, url)).toBe(kind))
})

function image(name: string, about: Partial<Medium> = {}): Medium {
  return { url: address(`https://a.example/${name}.jpg`), kind: 'image', ...about }
}

describe('the best picture', () => {
  const small = image('small', { width: 150, height: 100, preview: true })
  const large = image('large', { width: 1200, height: 800 })
  const unknown = image('unknown')
  it.each<[string, Medium[], Medium | undefined]>([
    ['is the largest', [small, large, unknown], large],
    ['is a full picture rather than a preview', [small, unknown], unknown],
    ['is the preview if there is nothing else', [small], small],
    ['is the first of equals', [unknown, image('other')], unknown],
    [
      'is what the publisher prefers',
      [image('x', { width: 800, height: 600, preferred: true }), large],
      image('x', { width: 800, height: 600, preferred: true }),
    ],
    ['is never a tracking pixel', [image('pixel', { width: 1, height: 1 })], undefined],
    ['is never a recording', [{ url: address('https://a.example/a.mp3'), kind: 'audio' }], undefined],
  ])('%s', (_, media, best) => expect(bestPicture(media)).toEqual(best))
})

describe('the picture for a row', () => {
  const [tiny, small, large] = [150, 320, 1200].map((width) => image(`w${width}`, { width, height: width / 2 }))
  it.each<[string, Medium[], Medium | undefined]>([
    ['is the smallest that is sharp', [large!, small!, tiny!, image('w90', { width: 90, height: 60 })], tiny],
    [
      'is a preview rather than the full picture',
      [image('unknown'), image('still', { preview: true })],
      image('still', { preview: true }),
    ],
    [
      'is the best if none is sharp',
      [image('w40', { width: 40, height: 30 }), image('w90', { width: 90, height: 60 })],
      image('w90', { width: 90, height: 60 }),
    ],
    ['may be missing', [], undefined],
  ])('%s', (_, media, chosen) => expect(smallPicture(media)).toEqual(chosen))
})

it('plays the preferred recording, else the first', () => {
  const audio: Medium = { url: address('https://a.example/a.mp3'), kind: 'audio' }
  const video: Medium = { url: address('https://a.example/a.mp4'), kind: 'video', preferred: true }
  expect(recordingOf([image('x'), audio])).toBe(audio)
  expect(recordingOf([audio, video])).toBe(video)
  expect(recordingOf(undefined)).toBeUndefined()
})
