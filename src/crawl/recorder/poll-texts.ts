/**
 * The texts of a poll's entries, each made of its HTML once: what was read to judge whether the feed shows whole texts
 * tells the language, too. Only the few that are judged are kept in between, and only as long as the poll is recorded.
 */
import { judgedText } from '../../feeds/index.ts'
import { plainText } from '../../html/index.ts'

export interface PollTexts {
  judged(html: string): string
  /** So many characters of it at most. */
  beginning(html: string, length: number): string
}

export function createPollTexts(): PollTexts {
  const made = new Map<string, string>()
  return {
    judged(html) {
      const text = made.get(html) ?? judgedText(html)
      made.set(html, text)
      return text
    },
    beginning(html, length) {
      // Feeds have as much markup as text, or less.
      return (made.get(html) ?? plainText(html.slice(0, 2 * length))).slice(0, length)
    },
  }
}
