/**
 * Inflected forms of a word, by language: flood, floods, flooded, flooding. A search for a word also finds its forms in entries of each
 * form's language. Forms are made from the word by the endings in search-endings.ts, at query time: the index holds words as they are
 * written, so that an exact search stays possible and existing indexes need no change. Most of the words made do not exist, which costs a
 * lookup each and finds nothing; hence the limit.
 *
 * If one word is a form of another, so is the other of the first.
 */
import { INFLECTIONS, type InflectionPattern, type Inflections } from './search-endings.ts'
import { foldedWords } from './search-words.ts'

/** Languages whose words have forms, as the first part of their code. */
export const INFLECTED_LANGUAGES: readonly string[] = Object.keys(INFLECTIONS)

const MAX_FORMS = 24
const MAX_WORD_LENGTH = 30
const MAX_CACHED = 500
const CYRILLIC = /^\p{Script=Cyrillic}+$/u
const LATIN = /^\p{Script=Latin}+$/u

const formsOfSets = new Map(
  Object.entries(INFLECTIONS).map(([language, { sets }]) => [
    language,
    new Map(
      sets.flatMap((set) => {
        const forms = set.split(' ')
        return forms.map((form) => [form, forms] as const)
      }),
    ),
  ]),
)

const cache = new Map<string, readonly string[]>()

/** Other forms of a folded word in entries of a language. */
export function formsOf(word: string, language: string): readonly string[] {
  const code = baseLanguage(language)
  const inflections = INFLECTIONS[code]
  if (!inflections || word.length < 3 || word.length > MAX_WORD_LENGTH) return []
  if (!(code === 'ru' ? CYRILLIC : LATIN).test(word)) return []
  const key = `${code} ${word}`
  const cached = cache.get(key)
  if (cached) return cached
  if (cache.size >= MAX_CACHED) cache.clear()
  const forms = makeForms(word, code, inflections)
  cache.set(key, forms)
  return forms
}

export interface LanguageForms {
  language: string
  forms: readonly string[]
}

/** Other forms of a folded word, in each of these languages that has any. */
export function formsByLanguage(word: string, languages: Iterable<string>): LanguageForms[] {
  return [...languages]
    .map((language) => ({ language, forms: formsOf(word, language) }))
    .filter(({ forms }) => forms.length > 0)
}

function baseLanguage(language: string): string {
  return language.toLowerCase().split('-')[0]!
}

/** The single folded word of a typed one that may be inflected: not abbreviations, numbers and words with punctuation. */
export function inflectableWord(typed: string): string | undefined {
  if (/^\p{Lu}{2,5}$/u.test(typed) || !/^[\p{L}\p{M}]{3,}$/u.test(typed)) return undefined
  const [word, ...otherWords] = foldedWords(typed)
  return otherWords.length === 0 ? word : undefined
}

function makeForms(word: string, language: string, { patterns, doubles }: Inflections): readonly string[] {
  const sets = formsOfSets.get(language)!
  const set = sets.get(word)
  if (set) return set.filter((form) => form !== word)
  const forms = new Set<string>()
  for (const pattern of patterns)
    for (const base of basesOf(word, pattern)) for (const ending of pattern.endings) forms.add(base + ending)
  if (doubles) for (const form of doubledForms(word, doubles)) forms.add(form)
  forms.delete(word)
  return [...forms].filter((form) => !sets.has(form)).slice(0, MAX_FORMS)
}

function basesOf(word: string, { endings, base }: InflectionPattern): string[] {
  return endings
    .filter((ending) => word.endsWith(ending))
    .map((ending) => word.slice(0, word.length - ending.length))
    .filter((candidate) => base.test(candidate))
}

function doubledForms(word: string, { base, single, doubled }: NonNullable<Inflections['doubles']>): string[] {
  const bases = [
    ...single.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, word.length - ending.length)),
    ...doubled
      .filter((ending) => word.endsWith(ending))
      .map((ending) => word.slice(0, word.length - ending.length))
      .filter((stem) => stem.length > 2 && stem.at(-1) === stem.at(-2))
      .map((stem) => stem.slice(0, -1)),
  ].filter((candidate) => base.test(candidate))
  return bases.flatMap((one) => [
    ...single.map((ending) => one + ending),
    ...doubled.map((ending) => one + one.at(-1) + ending),
  ])
}
