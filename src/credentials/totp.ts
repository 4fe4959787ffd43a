/** Time-based one-time passwords (RFC 6238, with HMAC-SHA-1, six digits and 30 seconds, which all authenticator apps support). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Instant, SECOND } from '../model/index.ts'

export const TOTP_STEP_MS = 30 * SECOND
/** As recommended by RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20
const DIGITS = 6
/** Codes of the step before and after are accepted, too: clocks differ, and typing takes a while. */
const STEPS_AROUND = [0, -1, 1]

/** RFC 4648, section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** In base32, as users type it into their app. */
export function newTotpSecret(): string {
  return Array.from(randomBytes((SECRET_BYTES * 8) / 5), (byte) => BASE32[byte % 32]).join('')
}

/** The address that authenticator apps read. `account` and `issuer` are shown there. */
export function totpAddress(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15 // RFC 4226, section 5.3: dynamic truncation
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The time step of this code, if it is valid now. */
export function totpStepOf(secret: string, code: string, now: Instant): number | undefined {
  const current = Math.floor(now / TOTP_STEP_MS)
  const given = Buffer.from(code)
  return STEPS_AROUND.map((around) => current + around).find((step) => {
    const expected = Buffer.from(totpCode(secret, step))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
