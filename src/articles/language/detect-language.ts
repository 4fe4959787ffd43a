/**
 * Detects the language of a text. Templates state "en" wherever they are used, and a headline is too short to be certain: so
 * the text's n-gram scores are combined with the statements of page and feed, which weigh more the shorter the text is. If
 * the script has a single language, or the text is too short, no detector is run.
 */

import { detectScript } from './detect-script.ts'
import { createDetector, DETECTED, type Detector } from './detector.ts'
import { languageByMarks } from './distinctive-words.ts'
import { readNgramTables } from './ngram-tables.ts'

/** Language tags verbatim, such as "de", "pt-BR" or "en_us". */
export interface LanguageHints {
  page?: string | undefined
  feed?: string | undefined
}

export interface DetectedLanguage {
  /** Two letters, or three if there are no two; without region or script. "und" if unknown. */
  value: string
  from: 'text' | 'page' | 'feed' | 'default'
}

export type LanguageDetector = (text: string, hints?: LanguageHints) => DetectedLanguage

/** `tables` is the content of the detector's file, which is kept in memory; `loadLanguageOf` in `app` reads it. */
export function createLanguageDetector(tables: Uint8Array): LanguageDetector {
  const detector = createDetector(readNgramTables(tables))
  return (text, hints = {}) => languageOf(text, hints, detector)
}

/** BCP 47's tag for an undetermined language. */
const UNKNOWN: DetectedLanguage = { value: 'und', from: 'default' }

export function languageOf(text: string, hints: LanguageHints, detector: Detector): DetectedLanguage {
  const stated = statements(hints)
  const writing = detectScript(text)
  if (!writing) return stated[0] ?? UNKNOWN
  const { script, letters } = writing
  const possible = stated.filter(({ value }) => isWrittenIn(script, value))
  if (!SHARED.has(script)) return possible[0] ?? languageOfScript(script, text)
  if (letters < MIN_LETTERS) return possible[0] ?? UNKNOWN
  const scores = averageScores(text, detector)
  const [best, score] = bestByLanguage(scores)
  const isDetected = best !== undefined && score >= MIN_SCORES[script]!
  const byMarks = possible.find(({ value }) => !DETECTED.has(resembledLanguage(value, script)))
  if (byMarks && !(isDetected && contradicts(scores, letters, byMarks.value))) return byMarks
  // of two related languages, prefer the stated one
  const isStated = isDetected && possible.some(({ value }) => resembledLanguage(value, script) === best)
  const marked = isStated ? undefined : languageByMarks(text, script, isDetected ? best : undefined)
  if (marked !== undefined) return { value: marked, from: 'text' }
  if (!isDetected) return possible.find(({ value }) => isPossible(value, scores, script, letters)) ?? UNKNOWN
  return weighStatements(scores, possible, script, letters, text)
}

/**
 * Minimum mean score of a text in its own language. Headlines of languages without tables score 40 in Latin letters and 85
 * in Cyrillic, except for close relatives.
 */
const MIN_SCORES: Readonly<Record<string, number>> = { Latn: 45, Cyrl: 105, Arab: 60, Deva: 120 }

/** Whether a text may be in the stated language although it scores low in all: it is short, or has many names. */
function isPossible(language: string, scores: ReadonlyMap<string, number>, script: string, letters: number): boolean {
  if (letters < FEW_LETTERS) return true
  return (scores.get(resembledLanguage(language, script)) ?? 0) >= 0.5 * MIN_SCORES[script]!
}

function bestByLanguage(scores: ReadonlyMap<string, number>): [language: string, score: number] | [undefined, 0] {
  let best: [string, number] | [undefined, 0] = [undefined, 0]
  for (const [language, score] of scores) if (score > best[1]) best = [language, score]
  return best
}

/**
 * Whether the text is clearly in a language other than the stated one, for which there are no tables. Many publishers
 * use two languages.
 */
function contradicts(scores: ReadonlyMap<string, number>, letters: number, stated: string): boolean {
  const [first, second] = [...scores].sort(([, a], [, b]) => b - a)
  if (!first || letters < SURE_LETTERS || RESEMBLING[stated]?.includes(first[0])) return false
  return second === undefined || first[1] > 1.08 * second[1]
}

const SURE_LETTERS = 60
const FEW_LETTERS = 30

/**
 * The languages as which the detector confidently misdetects others, in addition to languages it does not detect at
 * all.
 */
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

/** Scripts with several languages that the detector distinguishes. */
const SHARED: ReadonlySet<string> = new Set(['Latn', 'Cyrl', 'Arab', 'Deva'])
const MIN_LETTERS = 16
/** Text length at which a statement weighs as much as the text. */
const STATEMENT_WORTH_LETTERS = 18

function weighStatements(
  scores: ReadonlyMap<string, number>,
  possible: readonly DetectedLanguage[],
  script: string,
  letters: number,
  text: string,
): DetectedLanguage {
  let best: string | undefined
  let most = 0
  for (const [detected, score] of scores) {
    const statedShare = possible.reduce(
      (sum, { value }) => sum + Number(resembledLanguage(value, script) === detected),
      0,
    )
    const weight = score * (1 + (statedShare * STATEMENT_WORTH_LETTERS) / letters)
    if (weight <= most) continue
    most = weight
    best = detected
  }
  if (best === undefined) return possible[0] ?? UNKNOWN
  const stated = possible.find(({ value }) => resembledLanguage(value, script) === best)
  return { value: stated?.value ?? distinguish(best, text), from: 'text' }
}

/** Averages three samples of a long text: the detector reads only some 350 bytes, which may be a caption or a motto. */
function averageScores(text: string, detector: Detector): Map<string, number> {
  const starts =
    text.length > 3 * SAMPLE_CHARS ? [0, Math.floor(text.length / 3), Math.floor((2 * text.length) / 3)] : [0]
  const sums = new Map<string, number>()
  for (const start of starts) {
    const sample = text.slice(start, start + SAMPLE_CHARS)
    const scores = detector.scores(start === 0 ? sample : fromNextWord(sample))
    for (const [i, language] of detector.languages.entries())
      if (scores[i]! > 0) sums.set(language, (sums.get(language) ?? 0) + scores[i]!)
  }
  return sums
}

const SAMPLE_CHARS = 1_000

function fromNextWord(sample: string): string {
  return sample.slice(sample.indexOf(' ') + 1)
}

/** The languages stated by the hints, most trusted first. */
function statements({ page, feed }: LanguageHints): DetectedLanguage[] {
  const hintsInOrder: [string | undefined, 'page' | 'feed'][] = [
    [page, 'page'],
    [feed, 'feed'],
  ]
  return hintsInOrder.flatMap(([tag, from]) => {
    const value = primarySubtag(tag)
    return value === undefined ? [] : [{ value, from }]
  })
}

/** "pt_BR" -> "pt", "iw" -> "he"; undefined if it is not a language. */
function primarySubtag(tag: string | undefined): string | undefined {
  const primary = /^\s*([a-z]{2,3})(?![a-z])/i.exec(tag ?? '')?.[1]?.toLowerCase()
  if (primary === undefined || primary === 'und' || primary === 'mul') return undefined
  const language = CANONICAL_CODES[primary] ?? likelyLocale(primary).language
  return likelyLocale(language).script === undefined ? undefined : language
}

/** The preferred code of languages with two codes. */
const CANONICAL_CODES: Readonly<Record<string, string>> = { nb: 'no', tl: 'tl', fil: 'tl', sh: 'sr', hbs: 'sr' }

function isWrittenIn(script: string, language: string): boolean {
  const ownScript = likelyLocale(language).script ?? 'Latn'
  if (ownScript === script || (script === 'Hani' && /^(?:Han[st]|Jpan|Kore)$/.test(ownScript))) return true
  return script === 'Latn' ? TWO_SCRIPTS.has(language) : script === 'Cyrl' && language === 'uz'
}

/** Languages also written in Latin, in addition to their first script. */
const TWO_SCRIPTS: ReadonlySet<string> = new Set(['sr', 'uz', 'az', 'kk', 'mn', 'tg', 'tk', 'ku', 'hi', 'ha'])

/** The language with tables as which the detector would detect it. */
function resembledLanguage(language: string, script: string): string {
  if (language === 'sr' && script === 'Latn') return 'hr'
  return RESEMBLED_LANGUAGE[language] ?? language
}

const RESEMBLED_LANGUAGE: Readonly<Record<string, string>> = { nn: 'no', id: 'ms', bs: 'hr', ckb: 'ku' }

/** Distinguishes two languages that share one table, if neither is stated. */
function distinguish(detected: string, text: string): string {
  if (detected !== 'ms') return detected
  return /\b(?:bahawa|kerana|ialah|beliau|boleh|baharu|daripada|telah)\b/i.test(text.slice(0, SAMPLE_CHARS))
    ? 'ms'
    : 'id'
}

/** The language of a script with a single language. */
function languageOfScript(script: string, text: string): DetectedLanguage {
  const marked = languageByMarks(text, script)
  if (marked !== undefined) return { value: marked, from: 'text' }
  const { language } = likelyLocale(`und-${script}`)
  return language === 'und' ? UNKNOWN : { value: language, from: 'text' }
}

/** Unicode's most likely script of a language, or language of a script. Cached per tag. */
function likelyLocale(tag: string): Intl.Locale {
  const cached = LIKELY_LOCALES.get(tag)
  if (cached) return cached
  const locale = new Intl.Locale(tag).maximize()
  LIKELY_LOCALES.set(tag, locale)
  return locale
}

const LIKELY_LOCALES = new Map<string, Intl.Locale>() // bounded, because tags have at most three letters
