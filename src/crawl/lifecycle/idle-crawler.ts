/** Stands in for a crawl where a store is open without one: nothing runs, and requests that need a crawl are rejected. */
import type { Instant } from '../../model/index.ts'
import type { Crawler } from '../crawler.ts'
import { zeroTotals } from './totals.ts'

export function createIdleCrawler(startedAt: Instant): Crawler {
  const reject = () => Promise.reject(new Error('this needs a crawl, but the store was opened without one'))
  return {
    subscribe: reject,
    follow: reject,
    unsubscribe: reject,
    editSubscription: reject,
    importEntries: reject,
    renameFolder: reject,
    pollNow: reject,
    requestArticle: reject,
    edit: reject,
    setFolderPreferences: reject,
    setBudget: reject,
    regroupEntries: reject,
    pause: reject,
    resume: reject,
    remove: reject,
    removeSource: reject,
    activity: () => ({ startedAt, inFlight: [], totals: zeroTotals(), internalErrors: [] }),
    onEvent: () => () => {},
  }
}
