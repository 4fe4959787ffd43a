/** What goes on beside the news: who is polled next, whose feed is still looked for, and which sites are left in peace. */
import { api } from './api.js'
import { byId, createList, make, setText } from './dom.js'
import { say, sayError } from './notice.js'
import { plural, sentence, shortAddress, showTime } from './words.js'

/** @import { FeedShape, HostShape, SourceShape, StatusShape } from '../src/api/index.ts' */

const MOST_NEXT = 8

const nextList = createList(byId('next', HTMLElement), (/** @type {FeedShape} */ feed) => feed.id, makeNextRow)
const lookingList = createList(
  byId('looking', HTMLElement),
  (/** @type {SourceShape} */ source) => source.id,
  makeLookingRow,
)
const restingList = createList(
  byId('resting', HTMLElement),
  (/** @type {HostShape} */ host) => host.root,
  makeRestingRow,
)

let underWay = /** @type {Set<string>} */ (new Set())
let changed = () => {}

/** @param {() => void} onChange is called when a source was given up */
export function startSide(onChange) {
  changed = onChange
}

/** @param {StatusShape} status */
export function showSide({ next, resting, restingCount, activity }) {
  underWay = new Set(activity.tasks.map(({ url }) => url))
  nextList.show(next.slice(0, MOST_NEXT))
  byId('no-next', HTMLElement).hidden = next.length > 0
  restingList.show(resting)
  byId('resting-section', HTMLElement).hidden = resting.length === 0
  showRest('resting-more', restingCount - resting.length)
}

/**
 * @param {SourceShape[]} sources
 * @param {number} howMany there are in all
 */
export function showLooking(sources, howMany) {
  lookingList.show(sources)
  byId('looking-section', HTMLElement).hidden = sources.length === 0
  showRest('looking-more', howMany - sources.length)
}

/**
 * @param {string} id
 * @param {number} howMany are not shown
 */
function showRest(id, howMany) {
  const rest = byId(id, HTMLElement)
  rest.hidden = howMany <= 0
  setText(rest, `and ${plural(howMany, 'other', 'others')}`)
}

/** @returns {import('./dom.js').Row<FeedShape>} */
function makeNextRow() {
  const name = make('span', 'next-name')
  name.dir = 'auto'
  const time = make('time')
  return {
    element: make('li', '', name, time),
    update(feed) {
      setText(name, feed.title || shortAddress(feed.url))
      const busy = underWay.has(feed.url)
      showTime(time, busy ? undefined : feed.schedule.dueAt, 'until', 'reading …')
      time.classList.toggle('busy', busy)
    },
  }
}

/** @returns {import('./dom.js').Row<SourceShape>} */
function makeLookingRow() {
  let id = 0
  const name = make('span')
  const words = make('span', 'bad')
  const when = make('span')
  const time = make('time')
  const giveUp = make('button', 'quiet-button', 'Give up')
  giveUp.type = 'button'
  giveUp.addEventListener('click', () => {
    api
      .removeSource({ params: { id } })
      .then(() => say(`${name.textContent} is no longer looked at`))
      .catch(sayError)
      .finally(changed)
  })
  return {
    element: make('li', '', make('div', '', name, make('p', '', words, when, time)), giveUp),
    update(source) {
      id = source.id
      setText(name, shortAddress(source.url))
      giveUp.setAttribute('aria-label', `Give up: ${name.textContent}`)
      const busy = underWay.has(source.url)
      setText(words, busy || !source.trouble ? '' : `${sentence(source.trouble.words)}. `)
      setText(when, busy ? 'Looking now' : source.trouble ? 'Next look ' : 'Waiting, ')
      showTime(time, busy ? undefined : source.dueAt, 'until')
    },
  }
}

/** @returns {import('./dom.js').Row<HostShape>} */
function makeRestingRow() {
  const name = make('span')
  const words = make('span')
  const time = make('time')
  return {
    element: make('li', '', make('div', '', name, make('p', '', words, time))),
    update(host) {
      setText(name, host.root)
      setText(words, `${host.trouble ? sentence(host.trouble.words) : 'It asked for patience'}. Next visit `)
      showTime(time, host.notBeforeAt, 'until')
    },
  }
}
