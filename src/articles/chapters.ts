/**
 * Reads chapters of recordings: the JSON format of podcasts, and lines of show notes (`12:34 A topic`). Tolerates any input. Chapters
 * are sorted by their start, and no two start at the same time.
 */
import { collapseWhitespace } from '../html/index.ts'

export interface Chapter {
  startSeconds: number
  title: string
  /** A page about it. */
  url?: string
}

export const MAX_CHAPTERS = 500
const MAX_TITLE_LENGTH = 300
const MAX_SECONDS = 100 * 3600
/** One time in a text is hardly a list of chapters. */
const MIN_LINES = 2

/** Decides by the declared content type, before anything was read. */
export function mayBeChapters(type: string): boolean {
  return /^(?:application\/(?:[\w.-]+\+)?json(?:\+chapters)?|text\/plain|application\/octet-stream)\b/i.test(type)
}

/** JSON Chapters of the podcast namespace. Undefined if it is something else; hidden chapters (`toc: false`) are left out. */
export function readChapters(document: string): Chapter[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(document)
  } catch {
    return undefined
  }
  const { chapters } = (parsed ?? {}) as { chapters?: unknown }
  if (!Array.isArray(chapters)) return undefined
  return inOrder(
    chapters.slice(0, MAX_CHAPTERS).flatMap((one: unknown): Chapter[] => {
      const { startTime, title, url, toc } = (one ?? {}) as Record<string, unknown>
      const startSeconds = Number(startTime)
      if (toc === false || typeof title !== 'string' || startTime === null || !isTime(startSeconds)) return []
      const name = collapseWhitespace(title).slice(0, MAX_TITLE_LENGTH)
      if (name === '') return []
      const isLink = typeof url === 'string' && url.length < 8192 && /^https?:\/\//i.test(url) && URL.canParse(url)
      return [{ startSeconds, title: name, ...(isLink && { url }) }]
    }),
  )
}

const LINE =
  /^\s*(?:[-*•·–—▪►]\s*)?[[(]?(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)[\])]?(?:\s*[-–—]\s*(?:\d{1,2}:)?\d{1,3}:[0-5]\d)?[\s:.|–—-]+(\S.*)$/

/** From plain text. Only lines that begin with a time later than that of the line before. Empty if there are fewer than two. */
export function chaptersInText(text: string, durationSeconds = MAX_SECONDS): Chapter[] {
  const chapters: Chapter[] = []
  for (const line of text.split('\n')) {
    const [, hours = '0', minutes, seconds, title] = LINE.exec(line.slice(0, 2 * MAX_TITLE_LENGTH)) ?? []
    if (title === undefined) continue
    const startSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    const last = chapters.at(-1)?.startSeconds ?? -1
    if (startSeconds <= last || startSeconds > durationSeconds || chapters.length === MAX_CHAPTERS) continue
    chapters.push({ startSeconds, title: collapseWhitespace(title).slice(0, MAX_TITLE_LENGTH) })
  }
  return chapters.length < MIN_LINES ? [] : chapters
}

function inOrder(chapters: readonly Chapter[]): Chapter[] {
  return chapters
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
    .filter(({ startSeconds }, i, sorted) => i === 0 || startSeconds > sorted[i - 1]!.startSeconds)
}

function isTime(seconds: number): boolean {
  return seconds >= 0 && seconds <= MAX_SECONDS
}
