/**
 * Detects the language of a text. Templates state "en" wherever they are used, and a headline is too short to be certain: so
 * the text's n-gram scores are combined with the statements of page and feed, which weigh more the shorter the text is. If
 * the script has a single language, or the text is too short, no detector is run.
 */

import { detectScript } from './detect-script.ts'
import { createDetector, DETECTED, type Detector } from './detector.ts'
import { markedLanguage } from './distinctive-words.ts'
import { readNgramTables } from './ngram-tables.ts'

/** Language tags verbatim, such as "de", "pt-BR" or "en_us". */
export interface LanguageHints {
  page?: string | undefined
  feed?: string | undefined
}

export interface ToldLanguage {
  /** Two letters, or three if there are no two; without region or script. "und" if unknown. */
  value: string
  from: 'text' | 'page' | 'feed' | 'default'
}

export type LanguageOf = (text: string, hints?: LanguageHints) => ToldLanguage

/** `tables` is the content of the detector's file, which is kept in memory; `loadLanguageOf` in `app` reads it. */
export function createLanguageOf(tables: Uint8Array): LanguageOf {
  const detector = createDetector(readNgramTables(tables))
  return (text, hints = {}) => languageOf(text, hints, detector)
}

/** BCP 47's tag for an undetermined language. */
const UNKNOWN: ToldLanguage = { value: 'und', from: 'default' }

export function languageOf(text: string, hints: LanguageHints, detector: Detector): ToldLanguage {
  const stated = statements(hints)
  const writing = detectScript(text)
  if (!writing) return stated[0] ?? UNKNOWN
  const { script, letters } = writing
  const possible = stated.filter(({ value }) => isWrittenIn(script, value))
  if (!SHARED.has(script)) return possible[0] ?? ofScript(script, text)
  if (letters < FEWEST_LETTERS) return possible[0] ?? UNKNOWN
  const scores = scoresOf(text, detector)
  const [best, score] = bestOf(scores)
  const isHeard = best !== undefined && score >= LEAST_SCORES[script]!
  const unheard = possible.find(({ value }) => !DETECTED.has(resembled(value, script)))
  if (unheard && !(isHeard && contradicts(scores, letters, unheard.value))) return unheard
  // of two related languages, the stated one
  const isStated = isHeard && possible.some(({ value }) => resembled(value, script) === best)
  const marked = isStated ? undefined : markedLanguage(text, script, isHeard ? best : undefined)
  if (marked !== undefined) return { value: marked, from: 'text' }
  if (!isHeard) return possible.find(({ value }) => mayBe(value, scores, script, letters)) ?? UNKNOWN
  return weigh(scores, possible, script, letters, text)
}

/**
 * Minimum mean score of a text in its own language. Headlines of languages without tables score 40 in Latin letters and 85
 * in Cyrillic, except for close relatives.
 */
const LEAST_SCORES: Readonly<Record<string, number>> = { Latn: 45, Cyrl: 105, Arab: 60, Deva: 120 }

/** Whether a text may be in the stated language although it scores low in all: it is short, or has many names. */
function mayBe(language: string, scores: ReadonlyMap<string, number>, script: string, letters: number): boolean {
  if (letters < FEW_LETTERS) return true
  return (scores.get(resembled(language, script)) ?? 0) >= 0.5 * LEAST_SCORES[script]!
}

function bestOf(scores: ReadonlyMap<string, number>): [language: string, score: number] | [undefined, 0] {
  let best: [string, number] | [undefined, 0] = [undefined, 0]
  for (const [language, score] of scores) if (score > best[1]) best = [language, score]
  return best
}

/** The text is clearly in another language than the stated one, which the detector does not know: many publish in two. */
function contradicts(scores: ReadonlyMap<string, number>, letters: number, stated: string): boolean {
  const [first, second] = [...scores].sort(([, a], [, b]) => b - a)
  if (!first || letters < SURE_LETTERS || RESEMBLING[stated]?.includes(first[0])) return false
  return second === undefined || first[1] > 1.08 * second[1]
}

const SURE_LETTERS = 60
const FEW_LETTERS = 30

/** What the detector takes some languages for with confidence, beside those of which it knows nothing at all. */
const RESEMBLING: Readonly<Record<string, readonly string[]>> = {
  af: ['nl'],
  fy: ['nl'],
  nds: ['de', 'nl'],
  lb: ['de'],
  gl: ['pt', 'es'],
  ast: ['es'],
  an: ['es', 'ca'],
  oc: ['ca', 'fr', 'es'],
  co: ['it'],
  scn: ['it'],
  sc: ['it', 'es'],
  vec: ['it'],
  fo: ['is', 'da', 'no'],
  mk: ['bg', 'sr', 'ru'],
  jv: ['ms'],
  su: ['ms'],
  min: ['ms'],
  ceb: ['tl'],
  war: ['tl'],
  ilo: ['tl'],
  hil: ['tl'],
  ne: ['hi', 'mr'],
  bho: ['hi', 'mr'],
  mai: ['hi', 'mr'],
  sa: ['hi', 'mr'],
  kok: ['mr', 'hi'],
  sd: ['ar', 'fa', 'ur'],
  ps: ['fa', 'ar', 'ku'],
  arz: ['ar'],
  azb: ['az', 'fa'],
  rue: ['uk'],
  hsb: ['cs', 'pl'],
  szl: ['pl'],
  tk: ['tr', 'az'],
  crh: ['tr', 'az'],
  gag: ['tr'],
}

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
  if (best === undefined) return possible[0] ?? UNKNOWN
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

/** Of a script that the detector is not asked about. */
function ofScript(script: string, text: string): ToldLanguage {
  const marked = markedLanguage(text, script)
  if (marked !== undefined) return { value: marked, from: 'text' }
  const { language } = likely(`und-${script}`)
  return language === 'und' ? UNKNOWN : { value: language, from: 'text' }
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
