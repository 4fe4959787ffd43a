/** The page that creates the first account, and its API operation. The secret is in the URL fragment, which browsers do not send and logs do not contain. */
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
    const redemption = (await accounts.list()).length === 0 ? setUp.redeem(secret) : undefined
    if (!redemption)
      throw new Problem(
        404,
        'this setup link is invalid or has expired',
        'create an account with freshet user add NAME, or restart the server for a new link',
      )
    let isCreated = false
    try {
      const user = await accounts.add(name, password).catch(accountProblem)
      isCreated = true
      return c.json(userShape(user), 201)
    } finally {
      redemption.end(isCreated)
    }
  })
  return app
}

export function setUpPage(): Hono {
  const app = new Hono()
  const noStore = { 'cache-control': 'no-store' }
  app.get('/setup', (c) => c.html(PAGE, 200, noStore))
  app.get('/setup.js', (c) => c.body(SCRIPT, 200, { ...noStore, 'content-type': 'text/javascript; charset=utf-8' }))
  return app
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freshet: create the first account</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/description.css">
</head>
<body>
<main>
<h1>Create the first account</h1>
<p>It is an admin account. Admins can add more users, as can <code>freshet user add</code>.</p>
<form id="set-up">
<p><label>Name <input name="name" autocomplete="username" required autofocus></label></p>
<p><label>Password <input name="password" type="password" autocomplete="new-password" required></label></p>
<p><button>Create account</button></p>
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
  answer.textContent = 'Please wait …'
  try {
    await send('/api/v1/setup', { secret, ...login })
    await send('/api/v1/session', login)
    location.assign('/')
  } catch (error) {
    answer.textContent = error.message
  }
})
`
