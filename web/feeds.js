/** The feeds: how each is doing, when it is read next, and what a person may do about it. */
import { api } from './api.js'
import { byId, createList, make, setAttribute, setOutwardLink, setText } from './dom.js'
import { say, sayError } from './notice.js'
import { sentence, shortAddress, showTime } from './words.js'

/** @import { FeedShape, StatusShape } from '../src/api/index.ts' */

const PAGE = 50
const MOST = 500
const TYPING_MS = 200

const heading = byId('feeds-title', HTMLElement)
const filter = byId('feed-filter', HTMLFormElement)
const textField = byId('feed-text', HTMLInputElement)
const nothing = byId('no-feeds', HTMLElement)
const moreButton = byId('more-feeds', HTMLButtonElement)
const dialog = byId('remove-dialog', HTMLDialogElement)
const dialogText = byId('remove-what', HTMLElement)
const list = createList(byId('feeds', HTMLElement), (/** @type {FeedShape} */ feed) => feed.id, makeRow)

let limit = PAGE
let asked = 0
/** Addresses that are being read this moment. */
let underWay = /** @type {Set<string>} */ (new Set())
let changed = () => {}

/** @param {() => void} onChange is called when something was done to a feed */
export function startFeeds(onChange) {
  changed = onChange
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing
  filter.addEventListener('input', () => {
    limit = PAGE
    clearTimeout(typing)
    typing = setTimeout(() => refreshFeeds().catch(sayError), TYPING_MS)
  })
  filter.addEventListener('submit', (event) => event.preventDefault())
  moreButton.addEventListener('click', () => {
    limit = Math.min(MOST, limit + PAGE)
    refreshFeeds().catch(sayError)
  })
}

/** @param {StatusShape} status */
export function showFeedCounts({ counts, activity }) {
  underWay = new Set(activity.tasks.map(({ url }) => url))
  setText(byId('troubled-label', HTMLElement), `In trouble${counts.troubled > 0 ? ` ${counts.troubled}` : ''}`)
  setText(byId('paused-label', HTMLElement), `Paused${counts.feeds.paused > 0 ? ` ${counts.feeds.paused}` : ''}`)
}

export async function refreshFeeds() {
  const which = new FormData(filter).get('which')
  const question = ++asked
  const { feeds, next } = await api.listFeeds({
    query: {
      troubled: which === 'troubled' ? true : undefined,
      state: which === 'paused' ? 'paused' : undefined,
      text: textField.value.trim() || undefined,
      limit,
    },
  })
  if (question !== asked) return
  list.show(feeds)
  nothing.hidden = feeds.length > 0
  moreButton.hidden = !next || limit >= MOST
}

/**
 * @param {FeedShape} shown
 * @returns {import('./dom.js').Row<FeedShape>}
 */
function makeRow(shown) {
  let feed = shown
  const dot = make('span', 'dot')
  const title = make('a', 'feed-title')
  title.dir = 'auto'
  const address = make('span', 'feed-address')
  const trouble = make('p', 'feed-trouble')
  const read = make('time')
  const next = make('time')

  const pollButton = button('Poll now', async () => {
    const { why } = await api.pollFeed({ params: { id: feed.id } })
    say(`${nameOf(feed)} is read ${why ? `as soon as may be: ${why}` : 'now'}`)
  })
  const pauseButton = button('Pause', async () => {
    const state = feed.state === 'active' ? 'paused' : 'active'
    await api.editFeed({ params: { id: feed.id }, body: { state } })
    say(state === 'paused' ? `${nameOf(feed)} rests until you resume it` : `${nameOf(feed)} is read again`)
  })
  const removeButton = button('Remove', async () => {
    if (!(await confirmRemoval(feed))) return
    await api.removeFeed({ params: { id: feed.id } })
    keepFocusNear(element)
    say(`${nameOf(feed)} was removed`)
  })

  const element = make(
    'li',
    'feed',
    make('div', 'feed-name', dot, make('div', '', title, address)),
    make('p', 'feed-time', make('span', 'feed-label', 'Last read '), read),
    make('p', 'feed-time', make('span', 'feed-label', 'Next '), next),
    make('div', 'feed-buttons', pollButton, pauseButton, removeButton),
    trouble,
  )
  return {
    element,
    update(fresh) {
      feed = fresh
      const busy = underWay.has(feed.url)
      const { schedule } = feed
      setAttribute(
        dot,
        'data-is',
        busy ? 'busy' : feed.state !== 'active' ? 'still' : feed.trouble ? 'troubled' : 'well',
      )
      setText(title, nameOf(feed))
      setOutwardLink(title, feed.siteUrl ?? feed.url)
      setText(address, `${shortAddress(feed.url)}${feed.hasLogin ? ', with a login' : ''}`)
      showTime(read, schedule.succeededAt, 'ago', 'never')
      const word = busy ? 'reading …' : feed.state === 'active' ? '' : feed.state
      showTime(next, word ? undefined : schedule.dueAt, 'until', word)
      setText(trouble, feed.trouble ? troubleWords(feed) : '')
      trouble.hidden = !feed.trouble
      setText(pauseButton, feed.state === 'active' ? 'Pause' : 'Resume')
      pollButton.hidden = feed.state !== 'active'
      for (const one of [pollButton, pauseButton, removeButton]) {
        setAttribute(one, 'aria-label', `${one.textContent}: ${nameOf(feed)}`)
      }
    },
  }
}

/**
 * @param {string} label
 * @param {() => Promise<void>} act
 */
function button(label, act) {
  const element = make('button', 'quiet-button', label)
  element.type = 'button'
  element.addEventListener('click', () => {
    act().catch(sayError).finally(changed)
  })
  return element
}

/**
 * The dialog tells that it was closed a moment after it was; by then it may be asking about another feed. What was asked
 * before is answered by no.
 *
 * @type {(isConfirmed: boolean) => void}
 */
let answer = () => {}
dialog.addEventListener('close', () => {
  if (!dialog.open) answer(dialog.returnValue === 'remove')
})

/**
 * @param {FeedShape} feed
 * @returns {Promise<boolean>}
 */
function confirmRemoval(feed) {
  answer(false)
  setText(
    dialogText,
    `${nameOf(feed)}, its entries and its history are removed from here. The site itself is not touched.`,
  )
  dialog.returnValue = 'keep'
  dialog.showModal()
  return new Promise((resolve) => {
    answer = resolve
  })
}

/**
 * Who removes a feed by keyboard goes on from its neighbour, not from the top of the page.
 *
 * @param {HTMLElement} row
 */
function keepFocusNear(row) {
  if (!row.contains(document.activeElement)) return
  const neighbour = row.nextElementSibling ?? row.previousElementSibling
  const target = neighbour?.querySelector('.feed-buttons button:last-child')
  if (target instanceof HTMLElement) target.focus()
  else heading.focus()
}

/** @param {FeedShape} feed */
function troubleWords(feed) {
  const { failures } = feed.schedule
  return `${sentence(feed.trouble?.words ?? '')}${failures > 1 ? ` (${failures} times in a row)` : ''}`
}

/** @param {FeedShape} feed */
function nameOf(feed) {
  return feed.title || shortAddress(feed.url)
}
