/**
 * Fetches and reads an article page. robots.txt must allow the page and every redirect target; a redirect to another host is not
 * followed but returned, so that the page waits for that host. Bodies of other types are not loaded, and pages whose headers or markup
 * forbid indexing are rejected.
 */
import { mayBePage } from '../../articles/index.ts'
import { CONSENT_MESSAGE, isConsentPage } from '../../feeds/index.ts'
import { type ArticleTask, MAX_PAGE_BYTES, type OutcomeResult } from '../../model/index.ts'
import type { Clock, Net } from '../../ports/index.ts'
import { type ReadPage, readPageInProcess } from './read-document.ts'
import { failedResult, httpFailure, redirectedUrl } from './read-feed.ts'
import type { RobotsCache } from './robots-cache.ts'
import { canReach } from './unplanned-redirect.ts'

const ACCEPT = 'text/html, application/xhtml+xml, */*;q=0.1'

export async function fetchArticlePage(
  task: ArticleTask,
  {
    net,
    clock,
    robots,
    readPage = readPageInProcess,
  }: { net: Net; clock: Clock; robots: RobotsCache; readPage?: ReadPage | undefined },
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { url, gapMs, userAgent, extraction } = task
  const forbidden = await robots.forbids(url, gapMs, signal)
  if (forbidden) return failedResult(forbidden)
  const answer = await net.get({
    url,
    headers: { accept: ACCEPT },
    ...(userAgent && { userAgent }),
    maxBytes: MAX_PAGE_BYTES,
    shouldFollow: canReach(task),
    checkRedirect: (to) => robots.forbids(to, gapMs, signal),
    shouldSkipBody: ({ 'content-type': type }) => !mayBePage(type),
    signal,
  })
  if (!answer.ok) return failedResult(answer.failure, redirectedUrl(answer))
  const finalUrl = answer.leadsTo ?? answer.url
  if (isConsentPage(finalUrl) && !isConsentPage(url))
    return failedResult({ kind: 'not-a-page', detail: CONSENT_MESSAGE })
  if (answer.leadsTo !== undefined) return { kind: 'page-elsewhere', to: answer.leadsTo }
  if (answer.status !== 200) return failedResult(httpFailure(answer, clock.now()), redirectedUrl(answer))
  return readPage(answer, clock.now(), extraction)
}
