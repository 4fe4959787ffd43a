/**
 * An article's page, as a terminal gets it: only if robots.txt allows it, also where redirects lead (to another host, it is
 * fetched in that host's turn); only if it is a page;
 * and only if neither its head nor the page itself asks not to be kept. Then it is read, and comes back with its text.
 */
import { mayBePage } from '../../articles/index.ts'
import { CONSENT_WALL, isConsentPage } from '../../feeds/index.ts'
import { type ArticleTask, LARGEST_PAGE, type OutcomeResult } from '../../model/index.ts'
import type { Clock, Net } from '../../ports/index.ts'
import { pageHere, type ReadPage } from './read-document.ts'
import { awayFrom, failed, httpFailure } from './read-feed.ts'
import type { RobotsCache } from './robots-cache.ts'
import { within } from './unplanned-redirect.ts'

const ACCEPT = 'text/html, application/xhtml+xml, */*;q=0.1'

export async function fetchPage(
  task: ArticleTask,
  {
    net,
    clock,
    robots,
    readPage = pageHere,
  }: { net: Net; clock: Clock; robots: RobotsCache; readPage?: ReadPage | undefined },
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { url, gapMs } = task
  const forbidden = await robots.forbids(url, gapMs, signal)
  if (forbidden) return failed(forbidden)
  const answer = await net.get({
    url,
    headers: { accept: ACCEPT },
    maxBytes: LARGEST_PAGE,
    follows: within(task),
    forbids: (to) => robots.forbids(to, gapMs, signal),
    skipsBody: ({ 'content-type': type }) => !mayBePage(type),
    signal,
  })
  if (!answer.ok) return failed(answer.failure, awayFrom(answer))
  const end = answer.leadsTo ?? answer.url
  if (isConsentPage(end) && !isConsentPage(url)) return failed({ kind: 'not-a-page', detail: CONSENT_WALL })
  if (answer.leadsTo !== undefined) return { kind: 'page-elsewhere', to: answer.leadsTo }
  if (answer.status !== 200) return failed(httpFailure(answer, clock.now()), awayFrom(answer))
  return readPage(answer, clock.now())
}
