/**
 * The texts of a poll's entries, extracted from their HTML once: texts that were sampled to detect full-text feeds are reused for language
 * detection. Only these few are cached, while the poll is being recorded.
 */
import { textToJudge } from '../../feeds/index.ts'
import { plainText } from '../../html/index.ts'

export interface PollTexts {
  /** The text that full-text detection judges. */
  fullTextSample(html: string): string
  /** The first `length` characters of the text. */
  beginning(html: string, length: number): string
}

export function createPollTexts(): PollTexts {
  const samples = new Map<string, string>()
  return {
    fullTextSample(html) {
      const text = samples.get(html) ?? textToJudge(html)
      samples.set(html, text)
      return text
    },
    beginning(html, length) {
      // Feeds have at most as much markup as text.
      return (samples.get(html) ?? plainText(html.slice(0, 2 * length))).slice(0, length)
    },
  }
}
