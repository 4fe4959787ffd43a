/**
 * Recognizes what is published whatever happens: episodes, columns, weather, puzzles, market reports. By the words of the title, and by
 * other titles of the same feed that begin or end in the same way.
 */
import type { EntryShape } from '../../api/index.ts'

type Titled = Pick<EntryShape, 'feedId' | 'title' | 'recording'>

/** Labels that several titles of a feed share. */
export type Recurring = ReadonlyMap<number, ReadonlySet<string>>

const MIN_TITLES = 2

const SERIES = [
  /\b(?:episode|ep\.?|folge|épisode|episodio|part|teil|vol\.?|volume|issue|no\.|nr\.)\s*#?\d+/iu,
  /(?:^|\s)#\d+\b/u,
  /\bday \d+ of\b/iu,
  /\b(?:podcast|newsletter|briefing|round-?up|week in review|open thread|live ?blog|live updates|as it happened)\b/iu,
  /\b(?:horoscope|horoskop|crossword|kreuzworträtsel|sudoku|wordle|quiz|lottery|lotto|tv tonight|on this day)\b/iu,
  /\b(?:weather|forecast|wetter|wettervorhersage|météo|previsiones? del tiempo|tides? table|pollen count)\b.{0,30}$/iu,
  /^(?:links?|photos?|pictures?|cartoon|letters?) (?:of|for|from) the (?:day|week|month)\b/iu,
]

const MARKET =
  /\b(?:stocks?|shares|wall street|dow(?: jones)?|nasdaq|s&p ?500|ftse|dax|cac ?40|nikkei|hang seng|sensex|nifty|futures|bitcoin|oil prices?|gold prices?|börse|aktien|wertpapiere|bourse|bolsa|(?:stock|bond|asian|european|global|us) markets?|markets)\b/iu
const MOVES =
  /\b(?:open|opens|close[sd]?|clos(?:e|ing)|ends?|ended|rise[sn]?|rose|fall[s]?|fell|slips?|slid(?:es)?|gains?|drops?|jumps?|rall(?:y|ies)|rebounds?|edges?|climbs?|tumbles?|surges?|sinks?|higher|lower|mixed|flat|wrap|record high|steigen|fallen|legt zu|gibt nach|schließt|hausse|baisse|sube|baja)\b/iu

/** Which labels recur, judged by some dozens of entries of each feed. */
export function recurringTitles(entries: readonly Titled[]): Recurring {
  const counts = new Map<number, Map<string, Set<string>>>()
  for (const { feedId, title } of entries) {
    const labels = counts.get(feedId) ?? new Map<string, Set<string>>()
    counts.set(feedId, labels)
    for (const label of labelsOf(title)) labels.set(label, (labels.get(label) ?? new Set()).add(title))
  }
  return new Map(
    [...counts].map(([feedId, labels]) => [
      feedId,
      new Set([...labels].filter(([, titles]) => titles.size >= MIN_TITLES).map(([label]) => label)),
    ]),
  )
}

export function isRecurring({ feedId, title, recording }: Titled, recurring: Recurring): boolean {
  if (recording?.kind === 'audio' || SERIES.some((pattern) => pattern.test(title))) return true
  const known = recurring.get(feedId)
  return known !== undefined && labelsOf(title).some((label) => known.has(label))
}

export function isMarketReport({ title }: Pick<EntryShape, 'title'>): boolean {
  return MARKET.test(title) && MOVES.test(title)
}

/** "Ask Ada" of "Ask Ada: may I?", and titles that differ in numbers and dates only. */
function labelsOf(title: string): string[] {
  const plain = title
    .toLowerCase()
    .replace(
      /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/g,
      '0',
    )
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .trim()
  const [before = '', ...rest] = plain.split(/\s*(?:[:|]| [–—-] )\s*/)
  const parts = rest.length > 0 ? [`${before}:`, `:${rest.at(-1)}`] : []
  const isNumbered = /0/.test(plain)
  return [...parts.filter((part) => part.length > 3), ...(isNumbered ? [plain] : [])]
}
