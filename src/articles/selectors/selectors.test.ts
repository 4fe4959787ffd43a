import { describe, expect, test } from 'vitest'
import { extractArticle } from '../extract-article.ts'
import { textInside } from '../page/page-node.ts'
import { readPage } from '../page/read-page.ts'
import { countMatches, extractionProblem } from './apply-rules.ts'
import { matchSelectors } from './match-selector.ts'
import { parseSelector } from './parse-selector.ts'

const PAGE = `<html><body class="page"><div id="top" class="head wide"><p>one</p></div>
<main><section class="story"><p class="lead first">two</p><div><p>three</p></div><p title="x" lang="de-AT">four</p></section></main>
<story-box><p>five</p></story-box><a href="https://a.example/tag/6" rel="tag">six</a></body></html>`

function matching(selector: string): string[] {
  const parsed = parseSelector(selector)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const { nodes } = readPage(PAGE)
  const { inside } = matchSelectors(nodes, parsed)
  const words = nodes.flatMap((node, i) => (inside[i] === 1 && node.text.trim() !== '' ? [node.text.trim()] : []))
  expect(textInside(nodes, 0)).toContain(words[0] ?? 'one')
  return words
}

describe('a selector', () => {
  test.each([
    ['p', ['one', 'two', 'three', 'four', 'five']],
    ['P.lead', ['two']],
    ['.first.lead', ['two']],
    ['#top', ['one']],
    ['div#top.wide > p', ['one']],
    ['.story p', ['two', 'three', 'four']],
    ['.story > p', ['two', 'four']],
    ['main .story div p', ['three']],
    ['main > p', []],
    ['main > section > p.lead', ['two']],
    ['section > div > p, #top p', ['one', 'three']],
    ['story-box', ['five']],
    ['* > a', ['six']],
    ['[lang]', ['four']],
    ['[lang="de-AT"]', ['four']],
    ["a[href*='/tag/']", ['six']],
    ['a[href^=https]', ['six']],
    ['a[href$="/7"]', []],
    ['[class~="lead"]', ['two']],
    ['body > a', ['six']],
    ['.nothing', []],
  ])('%s', (selector, expected) => {
    expect(matching(selector)).toEqual(expected)
  })

  test.each([
    ['', 'not a selector'],
    ['p >', 'not a selector'],
    ['p,', 'not a selector'],
    ['> p', 'cannot be used'],
    ['p:first-child', 'cannot be used'],
    ['p + p', 'cannot be used'],
    ['[data-x="1"]', 'attribute data-x'],
    ['a'.repeat(501), '500 characters'],
    ['p '.repeat(31), '30 elements'],
  ])('%j is rejected', (selector, reason) => {
    expect(extractionProblem({ content: selector })).toContain(reason)
  })

  test('takes time in proportion to the page, however deep it is', () => {
    const html = `${'<div class=a>'.repeat(20_000)}x`
    const startedAt = performance.now()
    countMatches(html, { content: '.a '.repeat(30), remove: '.a > .a .b' })
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })
})

describe('extraction rules', () => {
  const sentence = 'The ferry sails at dawn and returns with the tide, as it always did in these waters. '
  const html = `<html><body><article><h1>Ferries</h1><p>${sentence.repeat(8)}</p><p>${sentence.repeat(6)}</p></article>
    <div class="notes"><p>A short note. <span class="ad">Buy <img src="/ad.png" width=600 height=400>boats!</span></p><p>Another note.</p></div></body></html>`
  const url = 'https://news.example/1'

  test('choose the text, and remove parts of it', () => {
    const article = extractArticle(html, url, undefined, { content: '.notes', remove: '.ad' })
    expect(article.text).toBe('A short note.\n\nAnother note.')
    expect(article.html).toBe('<p>A short note.</p><p>Another note.</p>')
    expect(article.title?.value).toBe('Ferries')
    expect(countMatches(html, { content: '.notes', remove: '.ad' })).toEqual({ content: 1, remove: 1 })
  })

  test('fall back to the text that is found without them', () => {
    const usual = extractArticle(html, url)
    expect(usual.text).toContain('ferry')
    for (const rules of [{ content: '.missing' }, { content: ':invalid' }, { remove: '.missing' }])
      expect(extractArticle(html, url, undefined, rules).text).toBe(usual.text)
  })

  test('can remove everything without failing', () => {
    expect(extractArticle(html, url, undefined, { content: 'article', remove: 'body' }).text).toBe('')
  })
})
