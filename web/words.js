/**
 * Numbers and times, as people say them. Times are reckoned by the server's clock, which may not be the reader's: `now`
 * is what the server said last, plus what has passed here since.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let serverIsAheadMs = 0

/** @param {string} iso */
export function setServerTime(iso) {
  serverIsAheadMs = Date.parse(iso) - Date.now()
}

function now() {
  return Date.now() + serverIsAheadMs
}

/**
 * Makes `element` tell a time and keep telling it: `tick` brings all of them up to date.
 *
 * @param {HTMLTimeElement} element
 * @param {string | undefined} iso
 * @param {'ago' | 'until'} kind
 * @param {string} [otherwise] what it says when there is no time to tell
 */
export function showTime(element, iso, kind, otherwise = '') {
  if (element.dateTime !== (iso ?? '')) {
    element.dateTime = iso ?? ''
    element.title = iso ? new Date(iso).toLocaleString() : ''
  }
  element.dataset.tells = kind
  element.dataset.otherwise = otherwise
  tell(element)
}

export function tick() {
  for (const element of document.querySelectorAll('time[data-tells]')) tell(/** @type {HTMLTimeElement} */ (element))
}

/** @param {HTMLTimeElement} element */
function tell(element) {
  const at = Date.parse(element.dateTime)
  const { tells, otherwise = '' } = element.dataset
  const text = Number.isNaN(at) ? otherwise : tells === 'ago' ? ago(now() - at, at) : until(at - now())
  if (element.textContent !== text) element.textContent = text
}

/**
 * @param {number} ms
 * @param {number} at
 */
function ago(ms, at) {
  if (ms < 45 * SECOND) return 'just now'
  if (ms < HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  if (ms < 7 * DAY) return plural(Math.floor(ms / DAY), 'day ago', 'days ago')
  const sameYear = new Date(at).getFullYear() === new Date(now()).getFullYear()
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(!sameYear && { year: 'numeric' }),
  })
}

/** @param {number} ms */
function until(ms) {
  if (ms <= 0) return 'due now'
  const seconds = Math.ceil(ms / SECOND)
  if (ms < HOUR) return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const minutes = Math.floor((ms % HOUR) / MINUTE)
  if (ms < DAY) return `in ${Math.floor(ms / HOUR)} h${minutes > 0 ? ` ${minutes} min` : ''}`
  return `in ${plural(Math.round(ms / DAY), 'day', 'days')}`
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export function plural(count, one, many) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** @param {number} bytes */
export function inBytes(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let step = 0
  for (let rest = bytes; rest >= 1000 && step < units.length - 1; rest /= 1000) step++
  return `${(bytes / 1000 ** step).toFixed(step > 1 ? 1 : 0)} ${units[step]}`
}

/**
 * An address without what every address has.
 *
 * @param {string} url
 */
export function shortAddress(url) {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
}

/** @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
