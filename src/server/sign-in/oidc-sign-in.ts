/**
 * Signs users in through an OpenID Connect provider, and links accounts there to accounts here. What verifies the answer of the provider is in
 * the store, once, under the state; the state is also in a cookie, so that only the browser that began can finish.
 */
import { hashOfSecret } from '../../credentials/index.ts'
import { MINUTE, type Millis, type User, type UserId } from '../../model/index.ts'
import type { Clock, Users } from '../../ports/index.ts'
import { Problem } from '../problem.ts'
import type { ServerWarning } from '../warnings.ts'
import { createExternalUsers } from './external-users.ts'
import { groupsInClaim } from './group-roles.ts'
import { createOidcProvider, OidcError, type OidcFlow, type OidcProfile } from './oidc-provider.ts'
import type { OidcSettings, SignInSettings } from './settings.ts'

export const SIGN_IN_MS: Millis = 10 * MINUTE
const MAX_IDENTITIES = 20

interface PendingSignIn {
  flow: OidcFlow
  returnTo: string
  /** The user whose account is to be linked. Absent to sign in. */
  linkTo?: UserId | undefined
}

export interface OidcSignIn {
  start(redirectUri: string, pending: Omit<PendingSignIn, 'flow'>): Promise<{ url: string; state: string }>
  /** `cookie`: the state in the browser. `current`: the user who is signed in there. */
  finish(
    answer: string,
    cookie: string | undefined,
    current: User | undefined,
  ): Promise<{ user: User; returnTo: string; isLinked: boolean }>
  /** Undefined if the provider does not answer, or has no such address. */
  endSessionUrl(returnTo: string): Promise<string | undefined>
}

interface Parts {
  users: Users
  clock: Clock
  onWarning: (warning: ServerWarning) => void
}

export function createOidcSignIn(
  { users, clock, onWarning }: Parts,
  oidc: OidcSettings,
  all: SignInSettings,
): OidcSignIn {
  const provider = createOidcProvider(oidc, clock)
  const external = createExternalUsers({ users, clock, settings: all })
  let warnedAt = Number.NEGATIVE_INFINITY

  function toProblem(error: unknown): never {
    if (!(error instanceof OidcError)) throw error
    if (clock.now() - warnedAt >= MINUTE) onWarning({ kind: 'oidc', words: error.message })
    warnedAt = clock.now()
    throw error.kind === 'refused'
      ? new Problem(403, error.message, error.hint)
      : new Problem(503, error.message, error.hint, 10)
  }

  async function userOf(identity: Uint8Array): Promise<User | undefined> {
    const found = await users.credentialByHash(identity, clock.now())
    return found?.credential.kind === 'identity' ? found.user : undefined
  }

  const identitiesOf = async (id: UserId) =>
    (await users.credentialsOf(id, clock.now())).filter(({ kind }) => kind === 'identity')

  async function link({ id }: User, { issuer, claims }: OidcProfile, identity: Uint8Array): Promise<void> {
    if ((await identitiesOf(id)).length >= MAX_IDENTITIES)
      throw new Problem(409, `${MAX_IDENTITIES} accounts are linked already`, 'unlink one that you do not use')
    const name = textIn(claims.email) ?? textIn(claims.preferred_username) ?? issuer
    const credential = {
      userId: id,
      kind: 'identity',
      name: name.slice(0, 100),
      scope: 'read',
      addedAt: clock.now(),
    } as const
    await users.addCredential(credential, identity)
  }

  /** An account that exists, by the claim that the operator trusts. An account with another identity stays with that one. */
  async function findByClaim({ claims }: OidcProfile): Promise<User | undefined> {
    const email = claims.email_verified === true ? textIn(claims.email) : undefined
    const name = { none: undefined, email, username: textIn(claims.preferred_username) }[oidc.linkBy]
    const account = name === undefined ? undefined : await users.userByName(name)
    if (!account || (await identitiesOf(account.id)).length > 0) return undefined
    const { password: _, ...user } = account
    return user
  }

  async function signIn(profile: OidcProfile, identity: Uint8Array): Promise<User> {
    const groups = groupsInClaim(profile.claims[oidc.groupsClaim])
    const known = await userOf(identity)
    if (known) return external.applyRole(known, groups)
    const named = await findByClaim(profile)
    const user = named ? await external.applyRole(named, groups) : await external.create(newName(profile), groups)
    await link(user, profile, identity)
    return user
  }

  return {
    async start(redirectUri, pending) {
      const { url, flow } = await provider.start(redirectUri).catch(toProblem)
      const value = JSON.stringify({ ...pending, flow } satisfies PendingSignIn)
      const now = clock.now()
      await users.addOneTimeValue(
        { purpose: 'oidc', hash: hashOfSecret(flow.state), value, endsAt: now + SIGN_IN_MS },
        now,
      )
      return { url, state: flow.state }
    },

    async finish(answer, cookie, current) {
      const state = new URLSearchParams(answer).get('state')
      const isOwn = cookie !== undefined && state === cookie
      const stored = isOwn ? await users.takeOneTimeValue('oidc', hashOfSecret(cookie), clock.now()) : undefined
      if (stored === undefined)
        throw new Problem(403, 'this sign-in was not started here, was used before, or took too long', 'sign in again')
      const { flow, returnTo, linkTo } = JSON.parse(stored) as PendingSignIn
      const profile = await provider.finish(answer, flow).catch(toProblem)
      const identity = hashOfSecret(['oidc', profile.issuer, profile.subject].join('\n'))
      if (linkTo === undefined) return { user: await signIn(profile, identity), returnTo, isLinked: false }
      if (current?.id !== linkTo) throw new Problem(403, 'another user is signed in now', 'sign in and link again')
      const owner = await userOf(identity)
      if (owner && owner.id !== linkTo)
        throw new Problem(409, 'this account at the provider belongs to another user here', 'unlink it there first')
      if (!owner) await link(current, profile, identity)
      return { user: current, returnTo, isLinked: true }
    },

    endSessionUrl: (returnTo) => provider.endSessionUrl(returnTo).catch(() => undefined),
  }
}

function textIn(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

/** An unverified address may be that of somebody else. */
function newName({ subject, claims }: OidcProfile): string {
  const email = claims.email_verified === true ? textIn(claims.email) : undefined
  return textIn(claims.preferred_username) ?? email ?? subject
}
