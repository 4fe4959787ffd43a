/** Invented pages with their expected results: `name.html`, `name.json`. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Article, FactOrigin } from './index.ts'
import { extractArticle } from './index.ts'

const FOLDER = new URL('../../test/fixtures/articles/', import.meta.url)

/**
 * Facts as [value, origin]; a list of paragraphs for the text. Facts that are not listed must be absent or are not
 * compared.
 */
interface Expected {
  url: string
  text: string[]
  html?: string
  textFrom?: FactOrigin
  [fact: string]: unknown
}

const FACTS = [
  'canonicalUrl',
  'title',
  'authors',
  'published',
  'modified',
  'language',
  'image',
  'siteName',
  'section',
  'keywords',
  'paywall',
] as const

describe.each(fixtures())('%s', (_name, html, expected) => {
  const article = extractArticle(html, expected.url)

  test('has the expected text', () => {
    expect(article.text.split('\n\n')).toEqual(expected.text)
    expect(article.textFrom).toBe(expected.textFrom ?? 'markup')
    expect(article.words).toBeGreaterThan(20)
  })

  test.each(FACTS)('%s', (fact) => {
    expect(statedFacts(article, fact)).toEqual(expected[fact])
  })

  if (expected.description) {
    test('description', () => expect(statedFacts(article, 'description')).toEqual(expected.description))
  }
  if (expected.html) {
    test('html', () => expect(article.html).toBe(expected.html))
  }
})

function fixtures(): [string, string, Expected][] {
  const names = readdirSync(FOLDER).filter((file) => file.endsWith('.html'))
  return names.map((file) => {
    const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
    return [file, read(file), JSON.parse(read(file.replace('.html', '.json')))]
  })
}

function statedFacts(article: Article, name: (typeof FACTS)[number] | 'description'): unknown {
  const fact = article[name]
  if (fact === undefined) return undefined
  return ['iso' in fact ? fact.iso : fact.value, fact.from]
}
