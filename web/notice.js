/** The line at the foot of the window that says what came of a click. Screen readers are told politely. */
import { inWords } from './api.js'
import { byId, setText } from './dom.js'

const STAYS_MS = 6000

const line = byId('notice', HTMLElement)
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading

/** @param {string} text */
export function say(text) {
  setText(line, text)
  line.classList.add('shown')
  clearTimeout(fading)
  fading = setTimeout(() => line.classList.remove('shown'), STAYS_MS)
}

/** @param {unknown} error */
export function sayError(error) {
  say(inWords(error))
}
