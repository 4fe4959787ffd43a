/** The latest entries, or those that hold the words somebody searches for. */
import { api } from './api.js'
import { byId, createList, make, setOutwardLink, setText } from './dom.js'
import { sayError } from './notice.js'
import { shortAddress, showTime } from './words.js'

/** @import { EntryShape } from '../src/api/index.ts' */

const PAGE = 15
const MOST = 500
const TYPING_MS = 200

const heading = byId('entries-title', HTMLElement)
const form = byId('search-form', HTMLFormElement)
const field = byId('search', HTMLInputElement)
const nothing = byId('no-entries', HTMLElement)
const moreButton = byId('more-entries', HTMLButtonElement)
const list = createList(byId('entries', HTMLElement), (/** @type {EntryShape} */ entry) => entry.id, makeRow)

let limit = PAGE
/** The question whose answer is shown; the answer to an older one comes too late. */
let asked = 0
/** What the rows on the page answer to; undefined before the first answer. */
let shownFor = /** @type {string | undefined} */ (undefined)

export function startEntries() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing
  const search = () => {
    limit = PAGE
    refreshEntries().catch(sayError)
  }
  field.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(search, TYPING_MS)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(typing)
    search()
  })
  moreButton.addEventListener('click', () => {
    limit = Math.min(MOST, limit + PAGE)
    refreshEntries().catch(sayError)
  })
  document.addEventListener('keydown', (event) => {
    const typesElsewhere = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typesElsewhere) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}

export async function refreshEntries() {
  const q = field.value.trim()
  const question = ++asked
  const { entries, next } = await api.listEntries({ query: { q: q || undefined, limit } })
  if (question !== asked) return

  const added = list.show(entries)
  if (shownFor === q && q === '') for (const row of added) row.classList.add('arrived')
  shownFor = q
  setText(heading, q ? 'Entries found' : 'Latest entries')
  setText(
    nothing,
    q ? 'No entry holds these words.' : 'No entry has come yet. They appear here as soon as a feed is read.',
  )
  nothing.hidden = entries.length > 0
  moreButton.hidden = !next || limit >= MOST
}

/** @returns {import('./dom.js').Row<EntryShape>} */
function makeRow() {
  const time = make('time')
  const link = make('a', 'entry-title')
  const feed = make('span', 'entry-feed')
  link.dir = 'auto'
  feed.dir = 'auto'
  const listen = make('button', 'entry-listen', 'Listen')
  listen.type = 'button'
  const element = make('li', 'entry', link, time, feed, listen)
  /** @type {EntryShape['recording']} */
  let recording
  listen.addEventListener('click', () => recording && play(recording, listen).catch(sayError))
  return {
    element,
    update(entry) {
      showTime(time, entry.listedAt, 'ago')
      setOutwardLink(link, entry.url)
      setText(link, entry.title || (entry.url ? shortAddress(entry.url) : 'Without a title'))
      setText(feed, entry.feedTitle ?? '')
      recording = entry.recording
      listen.hidden = recording === undefined || element.querySelector('audio, video') !== null
      setText(listen, recording?.kind === 'video' ? 'Watch' : 'Listen')
    },
  }
}

/**
 * Puts a player in the place of the button. Nothing is asked of the publisher before somebody wants to hear it.
 *
 * @param {NonNullable<EntryShape['recording']>} recording
 * @param {HTMLButtonElement} button
 */
async function play({ kind, url }, button) {
  const player = make(kind, 'entry-player')
  player.controls = true
  player.src = url
  button.hidden = true
  button.after(player)
  player.focus()
  await player.play().catch(() => {
    throw new Error(`The recording at ${shortAddress(url)} cannot be played here. Open the entry, and try it there.`)
  })
}
