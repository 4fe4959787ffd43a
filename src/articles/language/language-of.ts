/**
 * The language of a text, whoever else may claim what. Templates say "en" wherever they are used, and a headline is too
 * short to be sure of: so a detector reads the text, and each statement (of the page, of the feed) counts for the more,
 * the shorter the text is. Where the script has one language, or the text is too short for either, no detector is asked.
 */
import { createDetector, DETECTED, type Detector } from './detector.ts'
import { piecesIn } from './pieces.ts'
import { scriptOf } from './script-of.ts'

/** Language tags as they stand there, such as "de", "pt-BR" or "en_us". */
export interface LanguageHints {
  page?: string | undefined
  feed?: string | undefined
}

export interface ToldLanguage {
  /** Two letters, three where there are no two; without region or script. */
  value: string
  from: 'text' | 'page' | 'feed' | 'default'
}

export type LanguageOf = (text: string, hints?: LanguageHints) => ToldLanguage

/** `tables` are the bytes of the detector's file, of which it keeps hold; `loadLanguageOf` of the hall reads them. */
export function createLanguageOf(tables: Uint8Array): LanguageOf {
  const detector = createDetector(piecesIn(tables))
  return (text, hints = {}) => languageOf(text, hints, detector)
}

const ENGLISH = 'en' // Adam, Bouras, Poulopoulos 2009: what nobody knows is English

export function languageOf(text: string, hints: LanguageHints, detector: Detector): ToldLanguage {
  const stated = statements(hints)
  const writing = scriptOf(text)
  if (!writing) return stated[0] ?? { value: ENGLISH, from: 'default' }
  const { script, letters } = writing
  const possible = stated.filter(({ value }) => isWrittenIn(script, value))
  if (!SHARED.has(script)) return possible[0] ?? { value: usualLanguageOf(script), from: 'text' }
  if (letters < FEWEST_LETTERS) return possible[0] ?? { value: usualLanguageOf(script), from: 'default' }
  const scores = scoresOf(text, detector)
  // What the detector has no tables for, it takes for a neighbour: Afrikaans for Dutch.
  const unheard = possible.find(({ value }) => !DETECTED.has(resembled(value, script)))
  if (unheard && !isSecondLanguage(scores, letters)) return unheard
  return weigh(scores, possible, script, letters, text)
}

/** Publishers of small languages write in a large one as well, under the same template. */
function isSecondLanguage(scores: ReadonlyMap<string, number>, letters: number): boolean {
  const [first, ...others] = [...scores].sort(([, a], [, b]) => b - a)
  if (!first || letters < SURE_LETTERS || !SECOND_LANGUAGES.has(first[0])) return false
  return others[0] === undefined || first[1] > 1.08 * others[0][1]
}

const SECOND_LANGUAGES: ReadonlySet<string> = new Set(['en', 'ru', 'fr', 'es'])
const SURE_LETTERS = 60

/** Scripts in which several languages are written that the detector tells apart. */
const SHARED: ReadonlySet<string> = new Set(['Latn', 'Cyrl', 'Arab', 'Deva'])
const FEWEST_LETTERS = 16
/** A statement about a text of so many letters is worth as much as the text. */
const WORTH_LETTERS = 18

function weigh(
  scores: ReadonlyMap<string, number>,
  possible: readonly ToldLanguage[],
  script: string,
  letters: number,
  text: string,
): ToldLanguage {
  let best: string | undefined
  let most = 0
  for (const [detected, score] of scores) {
    const said = possible.reduce((sum, { value }) => sum + Number(resembled(value, script) === detected), 0)
    const weight = score * (1 + (said * WORTH_LETTERS) / letters)
    if (weight <= most) continue
    most = weight
    best = detected
  }
  if (best === undefined) return possible[0] ?? { value: usualLanguageOf(script), from: 'default' }
  const said = possible.find(({ value }) => resembled(value, script) === best)
  return { value: said?.value ?? apart(best, text), from: 'text' }
}

/** The detector reads some 350 bytes, which may be a caption or a motto: so it gets three stretches of a long text. */
function scoresOf(text: string, detector: Detector): Map<string, number> {
  const starts = text.length > 3 * STRETCH ? [0, Math.floor(text.length / 3), Math.floor((2 * text.length) / 3)] : [0]
  const sums = new Map<string, number>()
  for (const start of starts) {
    const stretch = text.slice(start, start + STRETCH)
    const scores = detector.scores(start === 0 ? stretch : fromNextWord(stretch))
    for (const [i, language] of detector.languages.entries())
      if (scores[i]! > 0) sums.set(language, (sums.get(language) ?? 0) + scores[i]!)
  }
  return sums
}

const STRETCH = 1_000

function fromNextWord(stretch: string): string {
  return stretch.slice(stretch.indexOf(' ') + 1)
}

/** What the hints say, in the order in which they are believed. */
function statements({ page, feed }: LanguageHints): ToldLanguage[] {
  const said: [string | undefined, 'page' | 'feed'][] = [
    [page, 'page'],
    [feed, 'feed'],
  ]
  return said.flatMap(([tag, from]) => {
    const value = primaryOf(tag)
    return value === undefined ? [] : [{ value, from }]
  })
}

/** "pt_BR" -> "pt", "iw" -> "he"; undefined where it is no language. */
function primaryOf(tag: string | undefined): string | undefined {
  const primary = /^\s*([a-z]{2,3})(?![a-z])/i.exec(tag ?? '')?.[1]?.toLowerCase()
  if (primary === undefined || primary === 'und' || primary === 'mul') return undefined
  const language = ONE_NAME[primary] ?? likely(primary).language
  return likely(language).script === undefined ? undefined : language
}

/** Of languages with two names, the one that we say. */
const ONE_NAME: Readonly<Record<string, string>> = { nb: 'no', tl: 'tl', fil: 'tl', sh: 'sr', hbs: 'sr' }

function isWrittenIn(script: string, language: string): boolean {
  const own = likely(language).script ?? 'Latn'
  if (own === script || (script === 'Hani' && /^(?:Han[st]|Jpan|Kore)$/.test(own))) return true
  return script === 'Latn' ? TWO_SCRIPTS.has(language) : script === 'Cyrl' && language === 'uz'
}

/** Written in Latin as well, whatever their first script is. */
const TWO_SCRIPTS: ReadonlySet<string> = new Set(['sr', 'uz', 'az', 'kk', 'mn', 'tg', 'tk', 'ku', 'hi', 'ha'])

/** The one of the detector's languages that it would take it for. */
function resembled(language: string, script: string): string {
  if (language === 'sr' && script === 'Latn') return 'hr'
  return RESEMBLED[language] ?? language
}

const RESEMBLED: Readonly<Record<string, string>> = { nn: 'no', id: 'ms', bs: 'hr', ckb: 'ku' }

/** Where one of the detector's languages stands for two, and nobody states which. */
function apart(detected: string, text: string): string {
  if (detected !== 'ms') return detected
  return /\b(?:bahawa|kerana|ialah|beliau|boleh|baharu|daripada|telah)\b/i.test(text.slice(0, STRETCH)) ? 'ms' : 'id'
}

function usualLanguageOf(script: string): string {
  const { language } = likely(`und-${script}`)
  return language === 'und' ? ENGLISH : language
}

/** What Unicode thinks most likely: of a language its script, of a script its language. Asked once for each tag. */
function likely(tag: string): Intl.Locale {
  const known = LIKELY.get(tag)
  if (known) return known
  const locale = new Intl.Locale(tag).maximize()
  LIKELY.set(tag, locale)
  return locale
}

const LIKELY = new Map<string, Intl.Locale>() // tags of three letters at most, so it cannot grow for ever
