/** The pages that a text links to. */
import { expect, test } from 'vitest'
import { outgoingLinks } from './outgoing-links.ts'

test('lists absolute links once, in their order, and nothing else', () => {
  const html = `<p><a href="https://one.example/a?x=1&amp;y=2#part">one</a> <A HREF='//two.example/'>two</A>
    <a href="/own">own</a> <a href="mailto:a@b.example">mail</a> <a href="javascript:x()">x</a> <a>no</a>
    <img src="https://picture.example/1.png"> <a href=https://one.example/a?x=1&amp;y=2>again</a> <!-- <a href="https://no.example/"> -->`
  expect(outgoingLinks(html, 10)).toEqual(['https://one.example/a?x=1&y=2', 'https://two.example/'])
})

test('stops at the limit', () => {
  const html = Array.from({ length: 100 }, (_, i) => `<a href="https://s${i}.example/">`).join('')
  expect(outgoingLinks(html, 3)).toHaveLength(3)
})
