/** Failures in the page's language, by their kind. Details come from the server, in English. */
import type { TroubleShape } from '../../src/api/index.ts'
import { textFor, words } from '../words.ts'

/** A sentence without a full stop. */
export function troubleText(trouble: TroubleShape): string {
  const summary = summaryOf(trouble)
  if (summary === undefined) return trouble.words
  return trouble.detail ? words.troubles.withDetail({ trouble: summary, detail: trouble.detail }) : summary
}

function summaryOf({ kind, status }: TroubleShape): string | undefined {
  if (kind !== 'http' || status === undefined) return textFor(words.troubles.kinds, kind)
  const meaning = textFor(words.troubles.statuses, String(status))
  const code = String(status)
  return meaning ? words.troubles.httpMeaning({ status: code, meaning }) : words.troubles.http({ status: code })
}
