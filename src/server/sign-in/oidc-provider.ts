/**
 * Talks to an OpenID Connect provider: authorization code flow with PKCE, state and nonce, and signed ID tokens. The provider is discovered at
 * the first use, and its description is loaded again every hour: a server starts without it. Requests and responses are bounded.
 */
import type { Configuration, CustomFetch } from 'openid-client'
import { HintedError, HOUR, type Instant, type Millis } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { OidcSettings } from './settings.ts'

export interface OidcFlow {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

export interface OidcProfile {
  issuer: string
  subject: string
  claims: Readonly<Record<string, unknown>>
}

/** `unreachable`: no answer that makes sense. `refused`: the provider or the answer of the browser says no. */
export class OidcError extends HintedError {
  readonly kind: 'unreachable' | 'refused'

  constructor(kind: 'unreachable' | 'refused', message: string, hint: string) {
    super(message, hint)
    this.kind = kind
  }
}

export interface OidcProvider {
  /** The address to which the browser is sent, and what verifies its answer. */
  start(redirectUri: string): Promise<{ url: string; flow: OidcFlow }>
  /** `answer`: the query with which the provider sent the browser back. */
  finish(answer: string, flow: OidcFlow): Promise<OidcProfile>
  /** Where the browser ends the session at the provider; undefined if it cannot. */
  endSessionUrl(returnTo: string): Promise<string | undefined>
}

const TIMEOUT_SECONDS = 10
const MAX_RESPONSE_BYTES = 1_000_000
const DISCOVERY_MAX_AGE_MS: Millis = HOUR
/** The clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_SECONDS = 30

export function createOidcProvider(settings: OidcSettings, clock: Clock): OidcProvider {
  let discovered: { config: Promise<Configuration>; at: Instant } | undefined

  function configuration(): Promise<Configuration> {
    if (discovered && clock.now() - discovered.at < DISCOVERY_MAX_AGE_MS) return discovered.config
    const attempt = { config: discover(settings), at: clock.now() }
    discovered = attempt
    attempt.config.catch(() => {
      if (discovered === attempt) discovered = undefined // the next use tries again
    })
    return attempt.config
  }

  return {
    async start(redirectUri) {
      const oidc = await import('openid-client')
      const config = await configuration().catch(toOidcError)
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        redirectUri,
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, flow }
    },

    async finish(answer, { state, nonce, verifier, redirectUri }) {
      const oidc = await import('openid-client')
      const config = await configuration().catch(toOidcError)
      const tokens = await oidc
        .authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        .catch(toOidcError)
      const idClaims = tokens.claims()
      if (!idClaims) throw new OidcError('refused', 'the provider sent no ID token', 'request the scope openid')
      const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasUserInfo
        ? await oidc.fetchUserInfo(config, tokens.access_token, idClaims.sub).catch(toOidcError)
        : {}
      return { issuer: idClaims.iss, subject: idClaims.sub, claims: { ...more, ...idClaims } }
    },

    async endSessionUrl(returnTo) {
      const oidc = await import('openid-client')
      const config = await configuration().catch(toOidcError)
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const oidc = await import('openid-client')
  const isPlain = issuer.startsWith('http:')
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret === '' ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: fetchBounded,
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    },
  )
}

const fetchBounded: CustomFetch = async (url, { body, ...options }) => {
  const response = await fetch(url, { ...options, body: body as NonNullable<RequestInit['body']>, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`a response of more than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  const isEmpty = response.status === 204 || response.status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), response)
}

/** Errors of openid-client have a code. Their causes may contain tokens, so only code and message are used. */
function toOidcError(error: unknown): never {
  if (error instanceof OidcError) throw error
  const { message, code, error: reason, cause } = error as Error & { code?: string; error?: string }
  const status = (cause as { status?: unknown } | undefined)?.status
  const isAnswer =
    typeof reason === 'string' ||
    (typeof code === 'string' && !/TIMEOUT|ABORT|RESPONSE_IS_NOT|HTTP_REQUEST|PARSE/.test(code))
  const words = [message, typeof reason === 'string' && reason, typeof status === 'number' && `status ${status}`]
  const detail = words.filter(Boolean).join(', ').slice(0, 200)
  if (isAnswer)
    throw new OidcError('refused', `the sign-in was not accepted: ${detail}`, 'start again, or ask the operator')
  throw new OidcError(
    'unreachable',
    `the sign-in provider does not answer: ${detail}`,
    'try again later, or sign in another way',
  )
}
