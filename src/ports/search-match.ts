/**
 * What the terms of a query match, in an entry whose words are indexed: for the index in memory and for rules. Indexes on disk have to
 * find the same entries. A word in the title weighs as much as four in the text.
 */
import { isOfLanguage } from '../model/index.ts'
import { FORM_WEIGHT, type SearchDocument } from './search.ts'
import { formsOf } from './search-forms.ts'
import { type SearchTerm, sitesOf, type WordsTerm } from './search-query.ts'
import { foldedWords } from './search-words.ts'
import { countPhrase, indexWords, type WordIndex } from './word-index.ts'

const TITLE_WEIGHT = 4

export interface IndexedDocument extends Omit<SearchDocument, 'title' | 'text' | 'names'> {
  title: WordIndex
  text: WordIndex
  names: WordIndex
}

/** The weight of a term in a document; 0 if it does not match. */
export type WeighTerm = (document: IndexedDocument) => number

export function indexDocument({ title, text, names, ...document }: SearchDocument): IndexedDocument {
  return {
    ...document,
    title: indexWords(foldedWords(title)),
    text: indexWords(foldedWords(text)),
    names: indexWords(names.flatMap(foldedWords)),
  }
}

export function compileTerm(term: SearchTerm): WeighTerm {
  switch (term.kind) {
    case 'words':
      return compileWords(term, ({ title, text, names }, phrase, prefix) => {
        const inTitle = countPhrase(title, phrase, prefix)
        return TITLE_WEIGHT * inTitle + countPhrase(text, phrase, prefix) + countPhrase(names, phrase, prefix)
      })
    case 'author': {
      const phrase = foldedWords(term.text)
      return ({ names }) => countPhrase(names, phrase, term.prefix)
    }
    case 'feeds': {
      const ids = new Set(term.ids)
      return ({ feedId }) => Number(ids.has(feedId))
    }
    case 'entries': {
      const ids = new Set(term.ids)
      return ({ id }) => Number(ids.has(id))
    }
    case 'language':
      return ({ language }) => Number(isOfLanguage(language, term.code))
    case 'category':
      return ({ category }) => Number(category.toLowerCase() === term.name)
    case 'site':
      return ({ host }) => Number(host !== undefined && sitesOf(host).includes(term.host))
  }
}

/**
 * Words of which every matching document of this language has at least one. `prefixKeyOf` a word stands for all words with this prefix. Undefined
 * if the term has no words.
 */
export function wordsToLookFor({ text, prefix, inflected }: WordsTerm, language: string): string[] | undefined {
  const phrase = foldedWords(text)
  if (phrase[0] === undefined) return undefined
  if (prefix && phrase.length === 1) return [prefixKeyOf(phrase[0])]
  if (!inflected) return [phrase[0]]
  return [phrase[0], ...formsOf(phrase[0], language).flatMap((form) => foldedWords(form)[0] ?? [])]
}

/** The same for all words with the first two letters, which prefixes have at least. No word is equal to it. */
export function prefixKeyOf(word: string): string {
  return `${word.slice(0, 2)}*`
}

type Count = (document: IndexedDocument, phrase: readonly string[], prefix: boolean) => number

/** A word, its inflected forms and a prefix, counted in some part of a document. */
export function compileWords({ text, prefix, inflected }: WordsTerm, count: Count): WeighTerm {
  const phrase = foldedWords(text)
  if (!inflected) return (document) => count(document, phrase, prefix)
  const formsByLanguage = new Map<string, string[][]>()
  const formsIn = (language: string) => {
    const known = formsByLanguage.get(language) ?? formsOf(phrase[0] ?? '', language).map((form) => foldedWords(form))
    formsByLanguage.set(language, known)
    return known
  }
  return (document) => {
    const exact = count(document, phrase, false)
    let others = prefix ? count(document, phrase, true) - exact : 0
    for (const form of formsIn(document.language)) others += count(document, form, false)
    return exact + FORM_WEIGHT * others
  }
}
