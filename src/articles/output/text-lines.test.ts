import { expect, test } from 'vitest'
import { sanitizeHtml } from '../safe/sanitize.ts'
import { keepLines } from './text-lines.ts'

const REL = 'rel="noopener noreferrer nofollow"'
const LONG = 'A line of a text that a program has wrapped at some seventy characters or'

test.each([
  ['has nothing to keep', 'One line.', 'One line.'],
  ['is HTML', '<p>One\nline.</p>', '<p>One\nline.</p>'],
  ['has paragraphs', 'One.\n\nTwo.\n \n\nThree.', '<p>One.</p><p>Two.</p><p>Three.</p>'],
  ['has chapters', 'Chapters:\n00:00 Hello\n12:34 A topic', '<p>Chapters:<br>00:00 Hello<br>12:34 A topic</p>'],
  ['has a list', `${LONG}:\n- one\n- two`, `<p>${LONG}:<br>- one<br>- two</p>`],
  ['was wrapped', `${LONG}\nso, and goes on.`, `<p>${LONG} so, and goes on.</p>`],
  [
    'has addresses',
    'See https://a.example/b?c=1&amp;d=2, and https://b.example/.',
    `See <a href="https://a.example/b?c=1&amp;d=2" ${REL}>https://a.example/b?c=1&amp;d=2</a>, and <a href="https://b.example/" ${REL}>https://b.example/</a>.`,
  ],
  [
    'has links that reach over lines',
    `One <a href="https://a.example/" ${REL}>two\n\nthree</a>`,
    `One <a href="https://a.example/" ${REL}>two<br><br>three</a>`,
  ],
])('a text that %s', (_name, html, kept) => {
  expect(keepLines(html)).toBe(kept)
  expect(sanitizeHtml(kept)).toBe(kept)
})

test('is linear in long texts', () => {
  for (const piece of ['https://', '\n', ' \n', '- ', '00:00\n', '<a>\n'])
    expect(keepLines(sanitizeHtml(piece.repeat(200_000))).length).toBeGreaterThan(0)
})
