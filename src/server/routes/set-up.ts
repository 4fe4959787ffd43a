/** The page at which the first account is made, and what it sends. The secret stands behind a #, which no browser sends and no log has. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { userShape } from '../../views/index.ts'
import { createAccounts } from '../accounts.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import type { SetUp } from '../set-up.ts'
import { validatedRoutes } from '../validation.ts'
import { accountProblem } from './users.ts'

export function setUpRoutes(parts: ServerParts, setUp: SetUp): OpenAPIHono {
  const accounts = createAccounts(parts)
  const app = validatedRoutes()
  app.openapi(OPERATIONS.setUp, async (c) => {
    const { secret, name, password } = c.req.valid('json')
    const taken = (await accounts.list()).length === 0 ? setUp.take(secret) : undefined
    if (!taken)
      throw new Problem(
        404,
        'this setup link is invalid or has expired',
        'create an account with freshet user add NAME, or restart the server for a new link',
      )
    let isMade = false
    try {
      const person = await accounts.add(name, password).catch(accountProblem)
      isMade = true
      return c.json(userShape(person), 201)
    } finally {
      taken.end(isMade)
    }
  })
  return app
}

export function setUpPage(): Hono {
  const app = new Hono()
  const kept = { 'cache-control': 'no-store' }
  app.get('/setup', (c) => c.html(PAGE, 200, kept))
  app.get('/setup.js', (c) => c.body(SCRIPT, 200, { ...kept, 'content-type': 'text/javascript; charset=utf-8' }))
  return app
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freshet: the first account</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/description.css">
</head>
<body>
<main>
<h1>The first account</h1>
<p>Whoever has it may do everything here. Others are added by it, or with <code>freshet user add</code>.</p>
<form id="set-up">
<p><label>Name <input name="name" autocomplete="username" required autofocus></label></p>
<p><label>Password <input name="password" type="password" autocomplete="new-password" required></label></p>
<p><button>Make the account</button></p>
<p id="answer" role="status"></p>
</form>
</main>
<script src="/setup.js"></script>
</body>
</html>
`

const SCRIPT = `const secret = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const form = document.getElementById('set-up')
const answer = document.getElementById('answer')

async function send(path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) {
    const { title, hint } = await response.json()
    throw new Error(title + ': ' + hint)
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const given = new FormData(form)
  const login = { name: String(given.get('name')).trim(), password: String(given.get('password')) }
  answer.textContent = 'A moment …'
  try {
    await send('/api/v1/setup', { secret, ...login })
    await send('/api/v1/session', login)
    location.assign('/')
  } catch (error) {
    answer.textContent = error.message
  }
})
`
