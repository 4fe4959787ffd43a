/** Every catalog has the texts of the English one, with the same arguments and the plural forms of its language, and each text is used. */
import { describe, expect, test } from 'vitest'
import type { Catalog } from './catalog.ts'
import { argumentsOf, type Part, parseMessage } from './message.ts'
import writtenTypes from './texts.ts?raw'
import { typesOfTexts } from './types-of-texts.ts'
import { usedTexts } from './used-texts.ts'

const CATALOGS = import.meta.glob<Catalog>('./*.json', { import: 'default', eager: true })
const SOURCES = import.meta.glob<string>(['../**/*.{svelte,ts}', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

const languages = Object.keys(CATALOGS).map((path) => path.slice(2, -'.json'.length))
const read = (language: string): Catalog => CATALOGS[`./${language}.json`] ?? {}
const english = flat(read('en'))

function flat(catalog: Catalog, path = ''): Map<string, string> {
  const entries = Object.entries(catalog).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : [...flat(value, `${path}${key}.`)],
  )
  return new Map(entries)
}

/** The keys of all choices by plural, wherever they are nested. */
function pluralsIn(parts: Part[]): string[][] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('choices' in part)) return []
    const inner = Object.values(part.choices).flatMap(pluralsIn)
    return part.type === 'plural' ? [Object.keys(part.choices), ...inner] : inner
  })
}

function choicesIn(parts: Part[]): string[][] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('choices' in part)) return []
    const inner = Object.values(part.choices).flatMap(choicesIn)
    return part.type === 'select' ? [Object.keys(part.choices).sort(), ...inner] : inner
  })
}

function faultOf(message: string, original: string, categories: readonly string[]): string | undefined {
  if (message.trim() !== message || message === '') return 'is empty or begins or ends with a space'
  let parts: Part[]
  try {
    parts = parseMessage(message)
  } catch (error) {
    return String(error)
  }
  const [have, want] = [message, original].map((text) => JSON.stringify([...argumentsOf(parseMessage(text))].sort()))
  if (have !== want) return `has the arguments ${have}, the English text ${want}`
  const selects = new Set(choicesIn(parseMessage(original)).map(String))
  if (choicesIn(parts).some((choices) => !selects.has(String(choices)))) return 'selects by other names than in English'
  for (const keys of pluralsIn(parts)) {
    const missing = categories.filter((category) => !keys.includes(category))
    if (missing.length > 0) return `has no plural form for ${missing.join(', ')}`
    const unknown = keys.filter((key) => !categories.includes(key) && !/^=\d+$/.test(key))
    if (unknown.length > 0) return `has plural forms that the language does not have: ${unknown.join(', ')}`
  }
  return undefined
}

describe.each(languages)('the catalog of %s', (language) => {
  const texts = flat(read(language))

  test('is named by a language that browsers know', () => {
    expect(Intl.getCanonicalLocales(language)).toEqual([language])
    expect(Intl.PluralRules.supportedLocalesOf([language])).toEqual([language])
  })

  test('has exactly the texts of the English one', () => {
    expect([...english.keys()].filter((key) => !texts.has(key))).toEqual([])
    expect([...texts.keys()].filter((key) => !english.has(key))).toEqual([])
  })

  test('has valid messages with the English arguments and the plural forms of the language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const faults = [...texts].flatMap(([key, message]) => {
      const fault = faultOf(message, english.get(key) ?? message, categories)
      return fault ? [`${key} ${fault}`] : []
    })
    expect(faults).toEqual([])
  })
})

describe('the English texts', () => {
  test('are all used by the page', () => {
    const used = usedTexts(Object.values(SOURCES))
    expect([...english.keys()].filter((key) => !used(key))).toEqual([])
  })

  test('have up-to-date types: npm run texts', () => {
    expect(writtenTypes).toBe(typesOfTexts(read('en')))
  })
})

describe('a fault of a catalog is found:', () => {
  const ORIGINAL = '{count, plural, one {# entry in {folder}} other {# entries in {folder}}}'
  test.each([
    ['{count, plural, one {# Eintrag in {folder}} other {# Einträge in {folder}}}', undefined],
    ['{count, plural, =1 {ein Eintrag} one {# Eintrag in {folder}} other {# Einträge}}', undefined],
    ['{count, plural, one {# Eintrag} other {# Einträge}}', 'has the arguments'],
    ['{count} Einträge in {folder}', 'has the arguments'],
    ['{count, plural, other {# Einträge in {folder}}}', 'has no plural form for one'],
    ['{count, plural, one {} few {#} other {{folder}}}', 'does not have: few'],
    ['{count, plural, one {#} other {{folder}}', 'is missing'],
    ['{folder', 'is missing'],
    ['folder}', 'not opened'],
    ['{count, number}', 'not supported'],
    ['', 'is empty'],
  ])('%s', (message, fault) => {
    const found = faultOf(message, ORIGINAL, ['one', 'other'])
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(fault)
  })
})
