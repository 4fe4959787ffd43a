import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { bestTranscript, readTranscript } from './transcript.ts'

const TRANSCRIPT = 'Ada: The tide turns. Then it waits.\n\nBo: Does it?'

describe('reads a transcript', () => {
  it.each([
    [
      'WebVTT',
      'WEBVTT - low tide\n\nNOTE who reads this\nis bored\n\n1\n00:01.000 --> 00:02.500 align:start\n<v Ada>The <i>tide</i> turns.\n\n00:02.500 --> 00:04.000\n<v Ada>Then it waits.\n\n00:04.000 --> 00:05.000\n<v.loud Bo>Does it?\n',
    ],
    [
      'SubRip',
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: The tide turns.\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\nThen it waits.\r\n\r\n3\r\n00:00:04,000 --> 00:00:05,000\r\n>> Bo: Does it?\r\n',
    ],
    [
      'JSON',
      JSON.stringify({
        version: '1.0.0',
        segments: [
          { speaker: 'Ada', startTime: 1, body: 'The tide turns.' },
          { speaker: 'Ada', body: 'Then it waits.' },
          null,
          { speaker: 'Bo', body: 'Does it?' },
        ],
      }),
    ],
  ])('%s', (_, text) => expect(readTranscript(text)).toMatchObject({ text: TRANSCRIPT, words: 10 }))

  it('with roll-up captions, each line once', () => {
    const rolling = 'WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:02.000 --> 00:03.000\none\ntwo &amp; more\n'
    expect(readTranscript(rolling)?.html).toBe('<p>one two &amp; more</p>')
  })

  it('in paragraphs that end with a sentence', () => {
    const cues = Array.from(
      { length: 40 },
      (_, i) => `00:${String(i).padStart(2, '0')}:00.000 --> 00:59:59.000\nSentence number ${i} is here.\n`,
    )
    const paragraphs = readTranscript(`WEBVTT\n\n${cues.join('\n')}`)!.text.split('\n\n')
    expect(paragraphs.length).toBeGreaterThan(1)
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/^Sentence .*\.$/s)
  })

  it.each([['<!doctype html><title>x</title>'], ['{"segments": 7}'], ['{"segments": ['], ['Once upon a time'], ['']])(
    'but not from %s',
    (text) => expect(readTranscript(text)).toBeUndefined(),
  )

  it('of five megabytes of brackets', () => {
    expect(readTranscript(`WEBVTT\n\n00:01.000 --> 00:02.000\n${'<'.repeat(5_000_000)}`)?.words).toBe(0)
  })
})

it("chooses the simplest of several in the entry's language", () => {
  const at = (name: string, type?: string, language?: string) => ({
    url: address(`https://a.example/${name}`),
    ...(type && { type }),
    ...(language && { language }),
  })
  const [html, srt, vtt, german] = [
    at('a', 'text/html'),
    at('b.srt'),
    at('c', 'text/vtt'),
    at('d', 'text/vtt', 'de-AT'),
  ]
  expect(bestTranscript([html, srt, vtt])).toBe(vtt)
  expect(bestTranscript([html, srt])).toBe(srt)
  expect(bestTranscript([german, srt], 'en')).toBe(srt)
  expect(bestTranscript([srt, german], 'de')).toBe(german)
  expect(bestTranscript([at('e', 'text/plain'), at('f')])).toBeUndefined()
})
