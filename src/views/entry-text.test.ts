import { describe, expect, test } from 'vitest'
import type { Failure, StoredArticle } from '../model/index.ts'
import { feedHtml, shownTitle, textToShow } from './entry-text.ts'
import { missingText } from './missing-text.ts'

test('an entry without a title gets one from its text, or its media', () => {
  expect(shownTitle({ title: 'Tides' })).toEqual({ title: 'Tides', isStandIn: false })
  expect(shownTitle({ title: ' ', summary: '<p>High water at noon.</p>' })).toEqual({
    title: 'High water at noon.',
    isStandIn: true,
  })
  const media = [{ url: 'https://a.example/a.jpg' as never, kind: 'image' as const, title: 'A heron' }]
  expect(shownTitle({ title: '', media })).toEqual({ title: 'A heron', isStandIn: true })
  expect(shownTitle({ title: '', summary: 'https://a.example/' })).toEqual({ title: '', isStandIn: false })
})

test('the feed’s text keeps its lines', () => {
  expect(feedHtml('00:00 Hello<script>x</script>\n01:00 Bye', undefined)).toBe('<p>00:00 Hello<br>01:00 Bye</p>')
})

test('show notes are shown before the transcript', () => {
  const url = 'https://a.example/1.vtt'
  const entry = { podcast: { transcripts: [{ url: url as never }] } }
  const page = `<p>${'word '.repeat(3000)}</p>`
  const notes =
    '<p>In this episode we talk about tides, herons and jetties, and what they have to do with each other and with us.</p>'
  const article = { url } as StoredArticle
  expect(textToShow({ entry, feed: notes, article, page })).toBe('feed')
  expect(textToShow({ entry: {}, feed: notes, article, page })).toBe('page')
  expect(textToShow({ entry, feed: '', article, page })).toBe('page')
  expect(textToShow({ entry, feed: notes, page: undefined })).toBe('feed')
  expect(textToShow({ entry, feed: '', page: undefined })).toBeUndefined()
})

describe('says why a text is missing', () => {
  const article = (more: Partial<StoredArticle>) => ({ state: 'failed', ...more }) as StoredArticle
  test.each<[Failure | undefined, string]>([
    [undefined, 'error'],
    [{ kind: 'forbidden-by-robots' }, 'robots'],
    [{ kind: 'forbidden-by-page' }, 'noindex'],
    [{ kind: 'too-large' }, 'too-large'],
    [{ kind: 'not-a-page', detail: 'the site asks for consent to cookies before it shows the page' }, 'consent'],
    [{ kind: 'not-a-page', detail: 'several pages of this site show the same text' }, 'repeated'],
    [{ kind: 'not-a-page', detail: 'it is application/pdf' }, 'not-a-page'],
    [{ kind: 'not-a-page' }, 'not-a-page'],
    [{ kind: 'http', status: 403, detail: 'its host blocks crawlers with a bot check' }, 'challenge'],
    [{ kind: 'http', status: 401 }, 'login'],
    [{ kind: 'http', status: 402 }, 'paywall'],
    [{ kind: 'http', status: 403 }, 'refused'],
    [{ kind: 'http', status: 404 }, 'gone'],
    [{ kind: 'http', status: 429 }, 'overloaded'],
    [{ kind: 'http', status: 503 }, 'overloaded'],
    [{ kind: 'timeout' }, 'unreachable'],
    [{ kind: 'redirects' }, 'error'],
  ])('%o: %s', (trouble, reason) => {
    const missing = missingText(article(trouble ? { trouble } : {}), { hasText: false, isWithheld: false })
    expect(missing?.reason).toBe(reason)
    expect(missing?.words).toMatch(/^[A-Z].*\.$/)
  })

  test('also for texts that are stored', () => {
    const read = (more: object) => article({ state: 'read', ...more })
    const has = { hasText: true, isWithheld: false }
    expect(missingText(read({}), has)).toBeUndefined()
    expect(missingText(read({ noArchive: true }), has)).toBeUndefined()
    expect(missingText(read({ noArchive: true }), { hasText: false, isWithheld: true })?.reason).toBe('noarchive')
    expect(missingText(read({ facts: { words: 9, paywall: 'locked' } }), has)?.reason).toBe('paywall')
    expect(missingText(read({ facts: { words: 9, paywall: 'metered' } }), has)).toBeUndefined()
    expect(missingText(read({}), { hasText: false, isWithheld: false })?.reason).toBe('expired')
  })

  test('with what the operator can do', () => {
    const trouble = { kind: 'forbidden-address', detail: '10.0.0.5 is a private address' } as const
    expect(missingText(article({ trouble }), { hasText: false, isWithheld: false })?.hint).toContain('--allow-networks')
  })
})
