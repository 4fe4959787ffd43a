import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitizeHtml } from '../articles/index.ts'
import { createSanitizer, type Sanitize } from './sanitized-html.ts'

const LONG = `<p onclick="x()">${'a few words '.repeat(30)}<img src="a.png"></p>`

function counting(sanitize: Sanitize = sanitizeHtml) {
  const calls: string[] = []
  const counted: Sanitize = (html, url) => {
    calls.push(html)
    return sanitize(html, url)
  }
  return { calls, sanitize: counted }
}

test('sanitizes the same text once', () => {
  const { calls, sanitize } = counting()
  const sanitized = createSanitizer(sanitize)
  expect(sanitized(LONG, 'https://a.example/')).toBe(sanitizeHtml(LONG, 'https://a.example/'))
  expect(sanitized(LONG, 'https://a.example/')).toBe(sanitizeHtml(LONG, 'https://a.example/'))
  expect(calls).toHaveLength(1)
})

test('a changed text, a changed address and changed rules are never answered with an older result', () => {
  const sanitized = createSanitizer(sanitizeHtml)
  const changed = LONG.replace('few', 'far')
  expect(sanitized(LONG, 'https://a.example/')).toContain('a few words')
  expect(sanitized(changed, 'https://a.example/')).toBe(sanitizeHtml(changed, 'https://a.example/'))
  expect(sanitized(LONG, 'https://b.example/')).toContain('https://b.example/a.png')
  expect(sanitized(LONG)).not.toContain('a.png')
  const stricter = createSanitizer((html, url) => sanitizeHtml(html.replaceAll(/<img[^>]*>/g, ''), url))
  expect(stricter(LONG, 'https://a.example/')).not.toContain('a.png')
})

test('answers as without memory, however little it may remember', () => {
  const text = fc.string({
    minLength: 150,
    maxLength: 400,
    unit: fc.constantFrom('<p>', '<b>', '&amp;', 'é', '<img src=x>', ' '),
  })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.constantFrom(undefined, 'https://a.example/'))),
      fc.nat(20_000),
      (requested, max) => {
        const sanitized = createSanitizer(sanitizeHtml, max)
        for (const [html, url] of [...requested, ...requested])
          expect(sanitized(html, url)).toBe(sanitizeHtml(html, url))
      },
    ),
  )
})

test('forgets what was used least recently, and does not remember very long texts', () => {
  const { calls, sanitize } = counting((html) => html)
  const sanitized = createSanitizer(sanitize, 16_000)
  const texts = Array.from({ length: 17 }, (_, i) => String.fromCharCode(97 + i).repeat(1000))
  for (const text of texts.slice(0, 16)) sanitized(text)
  sanitized(texts[0]!)
  sanitized(texts[16]!)
  expect(calls).toHaveLength(17)
  sanitized(texts[0]!)
  expect(calls).toHaveLength(17)
  sanitized(texts[1]!)
  expect(calls).toHaveLength(18)
  const long = 'x'.repeat(1001)
  sanitized(long)
  sanitized(long)
  expect(calls).toHaveLength(20)
})
