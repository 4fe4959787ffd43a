/** The way in, where there are accounts: a form in the place of everything else, until somebody is logged in. */
import { api, inWords } from './api.js'
import { byId, setText } from './dom.js'
import { sentence } from './words.js'

const form = byId('login', HTMLFormElement)
const answer = byId('login-answer', HTMLElement)
const who = byId('who', HTMLElement)
const leave = byId('log-out', HTMLButtonElement)

/** @param {() => void} entered is called when somebody has logged in */
export async function startLogin(entered) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const given = new FormData(form)
    const body = { name: String(given.get('name')).trim(), password: String(given.get('password')) }
    setText(answer, 'A moment …')
    try {
      show(await api.logIn({ body }))
      form.reset()
      setText(answer, '')
      entered()
    } catch (error) {
      setText(answer, `${sentence(inWords(error))}.`)
      byId('login-password', HTMLInputElement).select()
    }
  })
  leave.addEventListener('click', async () => {
    await api.logOut().catch(() => {})
    location.reload()
  })
  show(await api.getSession())
}

/** Whether the page shows the way in and nothing else. */
export function isLockedOut() {
  return !form.hidden
}

/** A session that has ended shows the form again. */
export function showLogin() {
  show({})
}

/** @param {{ person?: { name: string } | undefined, allows?: string | undefined }} asker */
function show({ person, allows }) {
  const wasHidden = form.hidden
  form.hidden = allows !== undefined
  document.body.classList.toggle('locked', allows === undefined)
  setText(who, person?.name ?? '')
  leave.hidden = person === undefined
  if (wasHidden && !form.hidden) byId('login-name', HTMLInputElement).focus()
}
