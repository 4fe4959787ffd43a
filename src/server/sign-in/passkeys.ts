/**
 * Passkeys (WebAuthn): discoverable credentials, with which users sign in without a name. Each challenge is valid once and for minutes. The
 * authenticator verifies the user, by a PIN or biometrics, so a passkey needs no second factor. Public keys are no secrets.
 */
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CredentialOptionsShape, PasskeyShape } from '../../api/index.ts'
import { hashOfSecret } from '../../credentials/index.ts'
import { type Instant, MINUTE, type Millis, type User } from '../../model/index.ts'
import { type Clock, USER_VALUE_KINDS, type Users, type UserValues } from '../../ports/index.ts'
import { createPerUserQueue } from '../per-user-queue.ts'
import { Problem } from '../problem.ts'

/** The relying party: this server, as browsers see it. */
export interface RelyingParty {
  id: string
  origin: string
}

interface StoredPasskey {
  publicKey: string
  counter: number
  transports: string[]
  name: string
  addedAt: Instant
  usedAt?: Instant
}

export interface Passkeys {
  list(user: User): Promise<PasskeyShape[]>
  startAdding(user: User, party: RelyingParty): Promise<CredentialOptionsShape>
  add(user: User, party: RelyingParty, name: string, response: unknown): Promise<void>
  rename(user: User, id: string, name: string): Promise<boolean>
  remove(user: User, id: string): Promise<boolean>
  startSignIn(party: RelyingParty): Promise<CredentialOptionsShape>
  /** Throws a Problem if the passkey is unknown or its answer is not valid. */
  signIn(party: RelyingParty, response: unknown): Promise<User>
}

export const CHALLENGE_MS: Millis = 5 * MINUTE
const KIND = 'passkey'
/** EdDSA, ES256 and RS256, by their numbers in COSE (RFC 9053): every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Undefined where browsers support no passkeys: without TLS, and for IP addresses. */
export function relyingPartyAt(base: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(base)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const hasName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return hasName && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : undefined
}

export function createPasskeys({
  users,
  userValues,
  clock,
}: {
  users: Users
  userValues: UserValues
  clock: Clock
}): Passkeys {
  const oneByOne = createPerUserQueue()

  async function load({ id }: User): Promise<Map<string, StoredPasskey>> {
    const values = await userValues.userValues(id, KIND, { limit: USER_VALUE_KINDS.passkey })
    return new Map(values.map(({ key, value }) => [key, value as StoredPasskey]))
  }

  const save = ({ id }: User, key: string, value: StoredPasskey | undefined) =>
    userValues.putUserValues(id, KIND, [{ key, value }], clock.now())

  async function remember(challenge: string, purpose: string): Promise<void> {
    const [hash, now] = [hashOfSecret(challenge), clock.now()]
    await users.addOneTimeValue({ purpose: 'passkey', hash, value: purpose, endsAt: now + CHALLENGE_MS }, now)
  }

  const expects = (purpose: string) => async (challenge: string) =>
    (await users.takeOneTimeValue('passkey', hashOfSecret(challenge), clock.now())) === purpose

  const addingFor = ({ id }: User) => `add for ${id}`
  const SIGN_IN = 'sign in'

  return {
    async list(user) {
      const passkeys = [...(await load(user))].sort(([, a], [, b]) => a.addedAt - b.addedAt)
      return passkeys.map(([id, { name, addedAt, usedAt }]) => ({
        id,
        name,
        addedAt: new Date(addedAt).toISOString(),
        ...(usedAt !== undefined && { usedAt: new Date(usedAt).toISOString() }),
      }))
    },

    async startAdding(user, party) {
      const known = await load(user)
      assertRoom(known)
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      const options = await generateRegistrationOptions({
        rpName: 'Freshet',
        rpID: party.id,
        userName: user.name,
        userDisplayName: user.name,
        userID: new TextEncoder().encode(String(user.id)),
        timeout: CHALLENGE_MS,
        supportedAlgorithmIDs: ALGORITHMS,
        attestationType: 'none',
        excludeCredentials: [...known].map(([id, { transports }]) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await remember(options.challenge, addingFor(user))
      return { ...options }
    },

    async add(user, party, name, response) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const { registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: expects(addingFor(user)),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(toProblem)
      if (!registrationInfo) throw invalid('the answer is not valid')
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      await oneByOne(user.id, async () => {
        assertRoom(await load(user))
        const encoded = Buffer.from(publicKey).toString('base64url')
        await save(user, id, { publicKey: encoded, counter, transports, name, addedAt: clock.now() })
      })
    },

    rename: (user, id, name) =>
      oneByOne(user.id, async () => {
        const passkey = (await load(user)).get(id)
        if (passkey) await save(user, id, { ...passkey, name })
        return passkey !== undefined
      }),

    remove: (user, id) =>
      oneByOne(user.id, async () => {
        const isKnown = (await load(user)).has(id)
        if (isKnown) await save(user, id, undefined)
        return isKnown
      }),

    async startSignIn(party) {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      })
      await remember(options.challenge, SIGN_IN)
      return { ...options }
    },

    async signIn(party, given) {
      const response = given as AuthenticationResponseJSON
      const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString()
      const user = (await users.allUsers()).find(({ id }) => String(id) === handle)
      if (!user) throw invalid('this passkey is unknown')
      return oneByOne(user.id, async () => {
        const passkey = (await load(user)).get(response.id)
        if (!passkey) throw invalid('this passkey is unknown')
        const { publicKey, counter } = passkey
        const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge: expects(SIGN_IN),
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          credential: { id: response.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
        }).catch(toProblem)
        if (!verified) throw invalid('the signature is wrong')
        await save(user, response.id, { ...passkey, counter: authenticationInfo.newCounter, usedAt: clock.now() })
        return user
      })
    },
  }
}

function assertRoom(known: ReadonlyMap<string, unknown>): void {
  if (known.size >= USER_VALUE_KINDS.passkey)
    throw new Problem(409, `you have ${known.size} passkeys`, 'remove one that you do not use')
}

/** The library throws for everything that is not as expected: challenge, origin, flags, counter, or encoding. */
function toProblem(error: unknown): never {
  throw invalid(String((error as Error).message).slice(0, 200))
}

function invalid(reason: string): Problem {
  const hint = `start again within ${CHALLENGE_MS / MINUTE} minutes, on the address at which you added the passkey`
  return new Problem(403, `the passkey was not accepted: ${reason}`, hint)
}
