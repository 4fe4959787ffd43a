/** Preview of an address before subscribing: candidate feeds with their newest entries, frequency, and the reasons for their rank. */
import type { CandidateShape, PreviewShape } from '../api/index.ts'
import type { Discovery } from '../crawl/index.ts'
import { DAY, describeFailure, type EntryDraft, failureHint, type Instant } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { shownTitle } from './entry-text.ts'
import { troubleShape } from './shapes/trouble.ts'
import { isoDate, omitUndefined } from './shapes/values.ts'

const MAX_CANDIDATES = 20
const MAX_ENTRIES = 5

export async function previewShape(
  { feeds, requests, failure }: Discovery,
  catalogue: Pick<Catalogue, 'feedAt'>,
): Promise<PreviewShape> {
  const candidates: CandidateShape[] = []
  for (const { url, score, why, sameListAs, reading } of feeds.slice(0, MAX_CANDIDATES)) {
    const { title, description, siteUrl, language, format } = reading.facts
    candidates.push({
      url,
      format,
      score: Math.round(score),
      why,
      size: reading.entries.length,
      entries: reading.entries.slice(0, MAX_ENTRIES).map(previewEntry),
      ...omitUndefined({ title, description, siteUrl, language, sameListAs }),
      ...omitUndefined({ feedId: await catalogue.feedAt(url), perDay: publicationsPerDay(reading.entries) }),
    })
  }
  return {
    candidates,
    requests: requests.map(({ url, via, result }) => ({
      url,
      via,
      words: result.kind === 'failed' ? describeFailure(result.failure) : `a ${result.kind}`,
    })),
    ...omitUndefined({ trouble: troubleShape(failure), hint: failure && failureHint(failure) }),
  }
}

function previewEntry(entry: EntryDraft): CandidateShape['entries'][number] {
  const { url, publishedAt } = entry
  return {
    title: shownTitle(entry).title,
    ...omitUndefined({ url, publishedAt: publishedAt === undefined ? undefined : isoDate(publishedAt) }),
  }
}

/** Undefined if too few entries have a date. */
function publicationsPerDay(entries: readonly EntryDraft[]): number | undefined {
  const dates = entries.flatMap(({ publishedAt }): Instant[] => (publishedAt === undefined ? [] : [publishedAt]))
  if (dates.length < 3) return undefined
  const span = Math.max(...dates) - Math.min(...dates)
  return span > 0 ? Math.round(((dates.length - 1) / (span / DAY)) * 100) / 100 : undefined
}
