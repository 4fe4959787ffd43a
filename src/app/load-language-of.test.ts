import { expect, test } from 'vitest'
import { extractArticle } from '../articles/index.ts'
import { loadLanguageOf } from './load-language-of.ts'

const PAGE = `<!doctype html><html lang="en"><title>Brücke</title><article><h1>Neue Brücke</h1>
<p>Der Gemeinderat stimmt nächste Woche über die neue Brücke ab, sagte die Bürgermeisterin am Abend.</p></article>`

test('tells the language of an article, whatever its template says', async () => {
  const article = extractArticle(PAGE, 'https://example.org/story')
  const languageOf = await loadLanguageOf()
  expect(languageOf(article.text, { page: article.language?.value })).toEqual({ value: 'de', from: 'text' })
})

test('reads the tables once, however many ask', async () => {
  const all = await Promise.all([loadLanguageOf(), loadLanguageOf(), loadLanguageOf()])
  expect(new Set(all).size).toBe(1)
})
