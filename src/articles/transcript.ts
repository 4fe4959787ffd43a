/**
 * Reads transcripts of recordings: WebVTT, SubRip, and the JSON format of podcasts. Times are dropped; consecutive lines of
 * one speaker become a paragraph that begins with the name. Tolerates any input.
 */
import { decodeEntities } from '../html/index.ts'
import type { Transcript } from '../model/index.ts'
import { paragraphs } from './output/html.ts'
import { countWords } from './page/characters.ts'

export interface ReadTranscript {
  text: string
  html: string
  words: number
}

interface Utterance {
  speaker?: string
  text: string
}

/** Decides by the declared content type, before anything was read. */
export function mayBeTranscript(type: string): boolean {
  return /^(?:text\/(?:vtt|srt|plain)|application\/(?:x-subrip|srt|json))$/.test(type)
}

/** Undefined if it is not a transcript. */
export function readTranscript(text: string): ReadTranscript | undefined {
  const utterances = utterancesIn(text)
  if (!utterances) return undefined
  const written = paragraphsOf(utterances)
  return { text: written, html: paragraphs(written), words: countWords(written) }
}

/** The best of several: in the entry's language, in the simplest format. */
export function bestTranscript(transcripts: readonly Transcript[], language?: string): Transcript | undefined {
  const worth = ({ type = '', url, language: transcriptLanguage }: Transcript): number => {
    const form = FORMS.findIndex((form) => form.test(type))
    const rank = form >= 0 ? form : NAMES.findIndex((name) => name.test(url))
    if (rank < 0) return Number.POSITIVE_INFINITY
    return (
      rank +
      (transcriptLanguage && language && transcriptLanguage.split('-')[0] !== language.split('-')[0] ? FORMS.length : 0)
    )
  }
  const readable = transcripts.filter((transcript) => Number.isFinite(worth(transcript)))
  return readable.toSorted((a, b) => worth(a) - worth(b))[0]
}

const FORMS = [/\bvtt\b/i, /\b(?:x-subrip|srt)\b/i, /\bjson\b/i, /\bhtml\b/i]
const NAMES = [/\.vtt(?:[?#]|$)/i, /\.srt(?:[?#]|$)/i, /\.json(?:[?#]|$)/i, /\.html?(?:[?#]|$)/i]

function utterancesIn(text: string): Utterance[] | undefined {
  const start = text.slice(0, 500).trimStart()
  if (/^WEBVTT\b/.test(start) || FIRST_CUE.test(start)) return cuesIn(text)
  return start.startsWith('{') ? segmentsIn(text) : undefined
}

const FIRST_CUE = /^(?:\d{1,9}[ \t]*\r?\n)?\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->/
const TIMES = /^\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->/

/** A cue is a line of times and the lines after it, up to an empty one; everything else is a note, a style or a number. */
function cuesIn(text: string): Utterance[] {
  const sayings: Utterance[] = []
  let inCue = false
  let last = ''
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (TIMES.test(line)) inCue = true
    else if (line.trim() === '') inCue = false
    else if (inCue) {
      const utterance = cueLine(line)
      // roll-up captions repeat each line
      if (utterance.text !== '' && utterance.text !== last) sayings.push(utterance)
      last = utterance.text
    }
  }
  return sayings
}

function cueLine(line: string): Utterance {
  const [, voiceName] = /<v(?:\.[^\s>]{0,50})? ([^>]{1,200})>/.exec(line) ?? []
  const bare = decodeEntities(line.replace(/<[^<>]{0,300}>/g, '').replace(/\{\\[^{}]{0,50}\}/g, '')).trim()
  const [, labelledName, rest] = /^(?:>>\s*)?([\p{Lu}][\p{L}.'’ -]{0,60}):\s+(.+)$/u.exec(bare) ?? []
  const speaker = voiceName ?? labelledName
  return {
    ...(speaker && { speaker: decodeEntities(speaker).trim() }),
    text: voiceName === undefined ? (rest ?? bare) : bare,
  }
}

function segmentsIn(text: string): Utterance[] | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  const segments = (document as { segments?: unknown } | null)?.segments
  if (!Array.isArray(segments)) return undefined
  return segments.flatMap((segment: unknown): Utterance[] => {
    const { speaker, body, text } = (segment ?? {}) as Record<string, unknown>
    const segmentText = typeof body === 'string' ? body : text
    if (typeof segmentText !== 'string' || segmentText.trim() === '') return []
    return [{ ...(typeof speaker === 'string' && speaker !== '' && { speaker }), text: segmentText.trim() }]
  })
}

const LONG_PARAGRAPH = 600 // characters; after that the next sentence starts a new paragraph

function paragraphsOf(sayings: readonly Utterance[]): string {
  const paragraphs: string[] = []
  let speaker: string | undefined
  let current = ''
  const end = () => {
    if (current !== '') paragraphs.push(current)
    current = ''
  }
  for (const saying of sayings) {
    const isOther = saying.speaker !== undefined && saying.speaker !== speaker
    if (isOther || (current.length > LONG_PARAGRAPH && /[.!?…。！？]["'”’»)]?$/.test(current))) end()
    if (isOther) speaker = saying.speaker
    const text = isOther ? `${speaker}: ${saying.text}` : saying.text
    current = current === '' ? text : `${current} ${text}`
  }
  end()
  return paragraphs.join('\n\n')
}
