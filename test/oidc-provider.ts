/** A real OpenID Connect provider on loopback, for tests. It signs in whomever `signsIn` names, without asking. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package has no types
import { Provider } from 'oidc-provider'

export interface ProviderUser {
  sub: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

export const CLIENT_ID = 'freshet'
export const CLIENT_SECRET = 'the secret of the client'

export async function startOidcProvider(redirectUri: string) {
  let user: ProviderUser = { sub: 'nobody' }
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [`${new URL(redirectUri).origin}/`],
      },
    ],
    cookies: { keys: ['a key for cookies of tests'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...user, sub }) }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: user.sub } })
    else void callback(request, response)
  }
  return {
    issuer,
    signsIn(next: ProviderUser) {
      user = next
    },
    /** Follows the redirects as a browser with an empty cookie jar does, and returns the query with which it arrives at the client. */
    async browse(start: string): Promise<string> {
      const cookies = new Map<string, string>()
      for (let url = start; ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const next = response.headers.get('location')
        if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
        url = new URL(next, url).href
        if (url.startsWith(redirectUri)) return new URL(url).search.slice(1)
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
