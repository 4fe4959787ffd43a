/** Tests of the public interface: whole pages in, articles out. */
import { describe, expect, test } from 'vitest'
import { extractArticle } from './index.ts'

const SENTENCE = 'The river rose by two metres in the night, and the lower town was under water before the bells rang. '
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, i) => `<p>${i}. ${SENTENCE.repeat(3)}</p>`).join('')

describe('main text', () => {
  test('contains the paragraphs of the article and nothing around it', () => {
    const menu = `<ul>${'<li><a href="/x">Some section of the paper</a></li>'.repeat(30)}</ul>`
    const html = `<body><nav>${menu}</nav><div><div id="c">${paragraphs(5)}</div><div>${menu}</div></div><footer><p>${SENTENCE}</p></footer>`
    const { text } = extractArticle(html, 'https://news.example/a')
    expect(text.split('\n\n')).toHaveLength(5)
    expect(text).not.toContain('Some section')
  })
})
