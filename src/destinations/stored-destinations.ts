/** The destinations of a user, as values of the user. The store encrypts `secrets`. */
import type { Destination, Instant, UserId } from '../model/index.ts'
import type { UserValues } from '../ports/index.ts'
import type { PresetDescription, PresetField } from './preset.ts'

export const MAX_DESTINATIONS = 50

type Stored = Omit<Destination, 'id' | 'secrets'> & { secrets: string }

/** Oldest first. */
export async function loadDestinations(userValues: UserValues, userId: UserId): Promise<Destination[]> {
  const values = await userValues.userValues(userId, 'destination', { limit: MAX_DESTINATIONS * 2 })
  const destinations = values.map(({ key, value }): Destination => {
    const { secrets, ...rest } = value as Stored
    return { ...rest, id: key, secrets: parseSecrets(secrets) }
  })
  return destinations.sort((a, b) => a.addedAt - b.addedAt || a.name.localeCompare(b.name))
}

export async function saveDestination(
  userValues: UserValues,
  userId: UserId,
  { id, secrets = {}, ...rest }: Destination,
  now: Instant,
): Promise<void> {
  const value: Stored = { ...rest, secrets: JSON.stringify(secrets) }
  await userValues.putUserValues(userId, 'destination', [{ key: id, value }], now)
}

export async function forgetDestination(
  userValues: UserValues,
  userId: UserId,
  id: string,
  now: Instant,
): Promise<void> {
  await userValues.putUserValues(userId, 'destination', [{ key: id, value: undefined }], now)
}

/** By its name, ignoring case, or its id. */
export function findDestination(destinations: readonly Destination[], word: string): Destination | undefined {
  const folded = word.trim().toLowerCase()
  return (
    destinations.find(({ name }) => name.toLowerCase() === folded) ?? destinations.find(({ id }) => id === word.trim())
  )
}

const MAX_FIELD = 4000

/** Splits values into secret and other ones. Empty values are left out: those of `before` stay. Throws nothing: returns a fault. */
export function readFields(
  { fields }: PresetDescription,
  values: Readonly<Record<string, string>>,
  before?: Destination,
): (Pick<Destination, 'fields'> & { secrets: Record<string, string> }) | { fault: string } {
  const read = { fields: {} as Record<string, string>, secrets: {} as Record<string, string> }
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return { fault: `there is no field "${unknown}"` }
  const isMoved = before !== undefined && fields.some((field) => isOtherOrigin(field, values, before))
  for (const { name, label, kind, isSecret, isOptional, choices } of fields) {
    const kept = isSecret ? (isMoved ? undefined : before?.secrets?.[name]) : before?.fields[name]
    const value = Object.hasOwn(values, name) ? (values[name] ?? '').trim() : (kept ?? '')
    if (value === '') {
      if (isOptional) continue
      return { fault: `${label} is missing${isMoved && isSecret ? ': it is not sent to another server unasked' : ''}` }
    }
    if (value.length > MAX_FIELD || hasControls(value))
      return { fault: `${label} is too long or has control characters` }
    if (kind === 'address' && !isAddress(value))
      return { fault: `${label} is not an address that starts with https:// or http://, without credentials` }
    if (choices && !choices.includes(value)) return { fault: `${label} is none of ${choices.join(', ')}` }
    ;(isSecret ? read.secrets : read.fields)[name] = value
  }
  return read
}

/** Secrets are not kept for another server: a person who can only change the address must not learn them. */
function isOtherOrigin(
  { name, kind, isSecret, preset }: PresetField,
  values: Readonly<Record<string, string>>,
  before: Destination,
): boolean {
  if (kind !== 'address' || isSecret || !Object.hasOwn(values, name)) return false
  const originOf = (address: string | undefined) => URL.parse(address?.trim() || (preset ?? ''))?.origin
  return originOf(values[name]) !== originOf(before.fields[name])
}

function isAddress(value: string): boolean {
  return value.length <= 2000 && /^https?:\/\/[^\s@]+$/i.test(value) && URL.canParse(value)
}

function hasControls(value: string): boolean {
  return /\p{Cc}/u.test(value)
}

/** Undefined if the store could not decrypt them. */
function parseSecrets(text: string): Record<string, string> | undefined {
  try {
    return JSON.parse(text) as Record<string, string>
  } catch {
    return undefined
  }
}
