/** Signing in on the page, and the page Account, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/credentials/index.ts'
import { TOTP_STEP_MS, totpCode } from '../../src/credentials/totp.ts'
import { MINUTE } from '../../src/model/index.ts'
import type { ServerParts } from '../../src/server/index.ts'
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider } from '../oidc-provider.ts'
import { createServerFixture } from '../server-fixture.ts'
import { openBrowser } from './browser.ts'
import { accessibilityViolations, openPage } from './open-page.ts'

const opened = await openBrowser()
const browser = 'browser' in opened ? opened.browser : undefined
const name = 'missing' in opened ? `accounts (skipped: ${opened.missing})` : 'accounts'
const PASSWORD = 'correct horse battery'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})
afterAll(() => browser?.close())

async function serve(port = 0, parts: Partial<ServerParts> = {}) {
  const stage = createServerFixture(parts)
  const password = await hashPassword(PASSWORD)
  await stage.store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password })
  await stage.addFeed({ url: 'https://harbor.example/feed', title: 'Harbor', entries: [{ title: 'Fog', agoMs: 1 }] })
  const server = await stage.listen(port)
  toClose.push(server.close)
  const open = async (path: string) => {
    const shown = await openPage(browser!, server.url.replace('127.0.0.1', 'localhost') + path, { isUnguarded: true })
    toClose.push(shown.close)
    return shown
  }
  return { ...stage, open }
}

async function logIn(page: Page, code?: string) {
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  if (code === undefined) return
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)(name, () => {
  test('a second factor is added and asked for, and sessions are listed and ended', async () => {
    const { open, clock } = await serve()
    const codeFor = (secret: string) => totpCode(secret, Math.floor(clock.now() / TOTP_STEP_MS))
    const first = await open('/dashboard/account')
    await logIn(first.page)
    const factor = first.page.getByRole('region', { name: 'Second factor' })
    await factor.getByRole('button', { name: 'Add a second factor' }).click()
    const secret = ((await factor.locator('.secret').textContent()) ?? '').replace(/\s/g, '')
    await first.page.keyboard.type(codeFor(secret))
    await first.page.keyboard.press('Enter')
    await expect.poll(() => factor.locator('.codes code').count()).toBe(10)
    expect(await accessibilityViolations(first.page)).toEqual([])

    await clock.advance(MINUTE)
    const second = await open('/dashboard/account')
    await logIn(second.page, codeFor(secret))
    const sessions = second.page.getByRole('region', { name: 'Sessions' })
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
    await sessions.getByRole('button', { name: 'End the session of Chrome on Linux' }).click()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    await first.page.reload()
    await first.page.getByRole('heading', { name: 'Log in' }).waitFor()

    await clock.advance(20 * MINUTE)
    second.page.on('dialog', (dialog) => void dialog.accept())
    await second.page.getByRole('button', { name: 'Remove the second factor' }).click()
    const dialog = second.page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByLabel('Code').fill(codeFor(secret))
    expect(await accessibilityViolations(second.page)).toEqual([])
    await second.page.keyboard.press('Enter')
    await second.page.getByRole('button', { name: 'Add a second factor' }).waitFor()
    expect([...first.complaints, ...second.complaints]).toEqual([])
  })

  test('passkeys are added, used without a name, checked, renamed and removed', async () => {
    const { open, clock, app } = await serve()
    const { page, complaints } = await open('/dashboard/account')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    // As in browsers that do not convert the JSON.
    await page.addInitScript(
      'delete PublicKeyCredential.parseCreationOptionsFromJSON; delete PublicKeyCredential.prototype.toJSON',
    )
    await page.reload()
    await logIn(page)
    const passkeys = page.getByRole('region', { name: 'Passkeys' })
    await passkeys.getByLabel('Name of the passkey').fill('Laptop')
    await page.keyboard.press('Enter')
    await passkeys.getByRole('button', { name: 'Remove Laptop' }).waitFor()
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
    await passkeys.getByRole('alert').filter({ hasText: 'already has one' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])

    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' })
    const refused = page.getByRole('alert').filter({ hasText: 'was not accepted' })
    const leave = async () => {
      await page.getByRole('button', { name: 'Log out' }).click()
      await signIn.waitFor()
    }
    await leave()
    const sent = page.waitForRequest('**/api/v1/sign-in/passkey')
    await signIn.click()
    const body = (await sent).postData() ?? ''
    await page.getByRole('button', { name: 'Log out' }).waitFor()

    // Once more, at another address, and too late.
    const send = (host: string, text: string) =>
      app.request(`http://${host}/api/v1/sign-in/passkey`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      })
    expect((await send(new URL(page.url()).host, body)).status).toBe(403)
    await leave()
    await page.route('**/api/v1/sign-in/passkey', async (route) => {
      expect((await send('other.localhost', route.request().postData() ?? '')).status).toBe(403)
      await route.abort()
    })
    await signIn.click()
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await page.unroute('**/api/v1/sign-in/passkey')
    await page.route('**/api/v1/sign-in/passkey', async (route) => {
      await clock.advance(6 * MINUTE)
      await route.continue()
    })
    await signIn.click()
    await refused.waitFor()
    await page.unroute('**/api/v1/sign-in/passkey')

    // A copy of the authenticator has an older counter.
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 0 } })
    await signIn.click()
    await refused.filter({ hasText: 'counter' }).waitFor()
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 99 } })
    await signIn.click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()

    await page.goto(new URL('/dashboard/account', page.url()).href)
    page.on('dialog', (dialog) => void dialog.accept('Old laptop'))
    await passkeys.getByRole('button', { name: 'Rename Laptop' }).click()
    await passkeys.getByText('Old laptop').waitFor()
    await passkeys.getByRole('button', { name: 'Remove Old laptop' }).click()
    await expect.poll(() => passkeys.getByRole('listitem').count()).toBe(0)
    await leave()
    await signIn.click()
    await refused.filter({ hasText: 'unknown' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a user signs in at a provider, returns to where they were, and logs out there', async () => {
    const port = await freePort()
    const provider = await startOidcProvider(`http://localhost:${port}/sign-in`)
    toClose.push(provider.close)
    provider.signsIn({ sub: '1', preferred_username: 'carol' })
    const oidc = {
      issuer: provider.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: 'openid profile email',
      label: 'Harbor ID',
      groupsClaim: 'groups',
      linkBy: 'none',
      isOnly: true,
    } as const
    const { open } = await serve(port, { signIn: { oidc, provisionUsers: true, groupRoles: [] } })
    const { page, complaints } = await open('/dashboard/account')
    await page.getByRole('button', { name: 'Sign in with Harbor ID' }).waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with Harbor ID' }).click()
    await page.getByRole('region', { name: 'Linked accounts' }).getByText('carol').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/account')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${provider.issuer}/session/end?**`)
    await page.goto(`http://localhost:${port}/sign-in?error=access_denied&state=x`)
    await page.getByRole('alert').filter({ hasText: 'was not started here' }).waitFor()
    expect(complaints).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
