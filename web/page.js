/**
 * The page: it asks the server every few seconds how things are, while somebody can see it, and asks for the lists again
 * only when the answer shows that something happened. Each part of the page has its own file; this one keeps the rhythm.
 */
import { followUp, startAddBox } from './add.js'
import { api, inWords, isNobody } from './api.js'
import { byId, setText } from './dom.js'
import { refreshEntries, startEntries } from './entries.js'
import { refreshFeeds, showFeedCounts, startFeeds } from './feeds.js'
import { isLockedOut, showLogin, startLogin } from './login.js'
import { showLooking, showSide, startSide } from './side.js'
import { inBytes, plural, setServerTime, tick } from './words.js'

/** @import { StatusShape } from '../src/api/index.ts' */

const EVERY_MS = 2500
const MOST_SOURCES = 100

const state = byId('state', HTMLElement)

/** What the lists on the page go by; they are asked for again when it changes. */
let lastSeen = ''
let refreshing = false
let again = false

startAddBox(refreshNow)
startEntries()
startFeeds(refreshNow)
startSide(refreshNow)

startLogin(refreshNow).catch(showLost).finally(refreshNow)
setInterval(() => !document.hidden && refresh(), EVERY_MS)
setInterval(() => !document.hidden && tick(), 1000)
document.addEventListener('visibilitychange', () => !document.hidden && refresh())

function refreshNow() {
  lastSeen = ''
  again = true
  refresh()
}

/** One at a time; whoever comes meanwhile because something was changed gets another round. */
async function refresh() {
  if (refreshing || isLockedOut()) return
  refreshing = true
  await refreshOnce().catch(showLost)
  refreshing = false
  if (again) refresh()
}

async function refreshOnce() {
  again = false
  const status = await api.getStatus()
  setServerTime(status.now)
  showState(status)
  showFeedCounts(status)
  showSide(status)

  const { counts, activity, next, resting } = status
  const seen = JSON.stringify([counts, activity.totals, activity.tasks, next, resting])
  if (seen !== lastSeen) {
    const [{ sources }] = await Promise.all([
      api.listSources({ query: { state: 'looking', limit: MOST_SOURCES } }),
      refreshEntries(),
      refreshFeeds(),
    ])
    showLooking(sources, counts.looking)
    await followUp(sources)
    if (!again) lastSeen = seen
  }
  tick()
  document.body.classList.remove('loading')
}

/** @param {StatusShape} status */
function showState({ counts, activity, version }) {
  const feeds = counts.feeds.active + counts.feeds.paused + counts.feeds.gone
  const isEmpty = feeds === 0 && counts.looking === 0
  byId('welcome', HTMLElement).hidden = !isEmpty
  byId('news', HTMLElement).hidden = isEmpty
  byId('feeds-section', HTMLElement).hidden = feeds === 0
  byId('ways-on', HTMLElement).hidden = isEmpty

  const parts = [
    plural(feeds, 'feed', 'feeds'),
    plural(counts.entries, 'entry', 'entries'),
    plural(counts.polls, 'poll', 'polls'),
    activity.underWay > 0 ? `${activity.underWay.toLocaleString('en')} under way` : 'at rest',
  ]
  setText(state, parts.join(' · '))
  state.dataset.is = activity.underWay > 0 ? 'busy' : 'well'
  const since = new Date(activity.startedAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  setText(byId('running', HTMLElement), `Freshet ${version}, running since ${since}, ${inBytes(counts.bytes)} stored`)
}

/** @param {unknown} error */
function showLost(error) {
  if (isNobody(error)) return showLogin()
  setText(state, `${inWords(error)} Trying again …`)
  state.dataset.is = 'troubled'
  lastSeen = ''
}
