/**
 * The second factor of password logins: codes of an authenticator app, or recovery codes. The secret is stored encrypted, recovery codes as
 * hashes. A code is accepted once, also if several servers check it at the same time.
 */
import {
  hashOfRecoveryCode,
  hashOfSecret,
  newRecoveryCodes,
  newTotpSecret,
  TOTP_STEP_MS,
  totpAddress,
  totpStepOf,
} from '../../credentials/index.ts'
import { HOUR, type Instant, MINUTE, type Millis, type User, type UserId } from '../../model/index.ts'
import type { Clock, Users, UserValues } from '../../ports/index.ts'
import { createPerUserQueue } from '../per-user-queue.ts'
import { Problem } from '../problem.ts'

/** Time to scan the secret and type the first code. */
const ENROLLMENT_MS: Millis = 15 * MINUTE

interface StoredSecondFactor {
  addedAt: Instant
  /** Encrypted by the store. Empty if that is no longer possible: then no code is valid. */
  secrets: string
}

interface SecondFactor extends Secrets {
  addedAt: Instant
}

interface Secrets {
  secret: string
  /** Hashes of those that were not used. */
  recoveryCodes: string[]
}

export interface SecondFactorStatus {
  addedAt: Instant
  recoveryCodes: number
}

export interface SecondFactors {
  /** Undefined if the user has none. */
  status(id: UserId): Promise<SecondFactorStatus | undefined>
  /** Returns a new secret, which is not active until a code confirms it. */
  begin(user: User, issuer: string): Promise<{ secret: string; address: string }>
  /** Returns the recovery codes, which are only shown now. Throws a Problem if the code is wrong. */
  confirm(id: UserId, code: string): Promise<string[]>
  /** Whether the code is valid and was not used before. */
  accepts(id: UserId, code: string): Promise<boolean>
  remove(id: UserId): Promise<boolean>
  usersWithOne(): Promise<Set<UserId>>
}

const [ACTIVE, PENDING] = ['active', 'pending'] as const

export function createSecondFactors({
  users,
  userValues,
  clock,
}: {
  users: Users
  userValues: UserValues
  clock: Clock
}): SecondFactors {
  const oneByOne = createPerUserQueue()

  async function load(id: UserId, key: string): Promise<{ value: SecondFactor; changedAt: Instant } | undefined> {
    const [found] = await userValues.userValues(id, 'secondFactor', { keys: [key], limit: 1 })
    if (!found) return undefined
    const { addedAt, secrets } = found.value as StoredSecondFactor
    const readable: Secrets = secrets.startsWith('{') ? JSON.parse(secrets) : { secret: '', recoveryCodes: [] }
    return { value: { addedAt, ...readable }, changedAt: found.changedAt }
  }

  function save(id: UserId, changes: { key: string; value: SecondFactor | undefined }[]): Promise<void> {
    const stored = changes.map(({ key, value: { addedAt, ...secrets } = {} as Partial<SecondFactor> }) => ({
      key,
      value: addedAt === undefined ? undefined : { addedAt, secrets: JSON.stringify(secrets) },
    }))
    return userValues.putUserValues(id, 'secondFactor', stored, clock.now())
  }

  /** Records that the code was used; false if it was before. */
  function use(id: UserId, code: string, forMs: Millis): Promise<boolean> {
    const hash = hashOfSecret(`code of ${id}: ${code}`)
    return users.addOneTimeValue({ purpose: 'used-code', hash, value: '', endsAt: clock.now() + forMs }, clock.now())
  }

  async function acceptsTotp(id: UserId, secret: string, code: string): Promise<boolean> {
    const step = secret === '' ? undefined : totpStepOf(secret, code, clock.now())
    // A step is valid for three, from one before to one after it.
    return step !== undefined && use(id, `${secret} ${step}`, 3 * TOTP_STEP_MS)
  }

  return {
    async status(id) {
      const found = await load(id, ACTIVE)
      return found && { addedAt: found.value.addedAt, recoveryCodes: found.value.recoveryCodes.length }
    },

    async begin(user, issuer) {
      if (await load(user.id, ACTIVE))
        throw new Problem(409, 'there already is a second factor', 'remove it before you add another one')
      const secret = newTotpSecret()
      await save(user.id, [{ key: PENDING, value: { secret, addedAt: clock.now(), recoveryCodes: [] } }])
      return { secret, address: totpAddress(secret, user.name, issuer) }
    },

    async confirm(id, code) {
      const pending = await load(id, PENDING)
      if (!pending || clock.now() - pending.changedAt > ENROLLMENT_MS)
        throw new Problem(409, 'no second factor is being added', 'start again')
      const { secret } = pending.value
      if (!(await acceptsTotp(id, secret, withoutSpaces(code))))
        throw new Problem(400, 'this code is not valid', 'check the clock of your device, and type the current code')
      const codes = newRecoveryCodes()
      const value = { secret, addedAt: clock.now(), recoveryCodes: codes.map(hashOfRecoveryCode) }
      await save(id, [
        { key: ACTIVE, value },
        { key: PENDING, value: undefined },
      ])
      return codes
    },

    accepts: (id, code) =>
      oneByOne(id, async () => {
        const found = await load(id, ACTIVE)
        if (!found) return false
        if (/^[\d\s]*$/.test(code)) return acceptsTotp(id, found.value.secret, withoutSpaces(code))
        const hash = hashOfRecoveryCode(code)
        if (!found.value.recoveryCodes.includes(hash) || !(await use(id, hash, HOUR))) return false
        const recoveryCodes = found.value.recoveryCodes.filter((one) => one !== hash)
        await save(id, [{ key: ACTIVE, value: { ...found.value, recoveryCodes } }])
        return true
      }),

    async remove(id) {
      const found = await load(id, ACTIVE)
      await save(
        id,
        [ACTIVE, PENDING].map((key) => ({ key, value: undefined })),
      )
      return found !== undefined
    },

    async usersWithOne() {
      const found = new Set<UserId>()
      for await (const { userId, key } of userValues.everyUserValue('secondFactor'))
        if (key === ACTIVE) found.add(userId)
      return found
    },
  }
}

function withoutSpaces(code: string): string {
  return code.replace(/\s/g, '')
}
