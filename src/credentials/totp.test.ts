/** Codes of the second factor, with the vectors of the RFCs. */
import { describe, expect, test } from 'vitest'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, TOTP_STEP_MS, totpAddress, totpCode, totpStepOf } from './totp.ts'

/** "12345678901234567890" in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// RFC 6238, appendix B.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('the code at %i s is %s', (seconds, code) => {
  const step = Math.floor((seconds * 1000) / TOTP_STEP_MS)
  expect(totpCode(SECRET, step, 8)).toBe(code)
  expect(totpCode(SECRET, step)).toBe(code.slice(2))
})

// RFC 4226, appendix D.
test.each(
  ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'].map(
    (code, i) => [i, code] as const,
  ),
)('the code of counter %i is %s', (step, code) => {
  expect(totpCode(SECRET, step)).toBe(code)
})

describe('a code', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / TOTP_STEP_MS)

  test.each([-2, -1, 0, 1, 2])('of step %i from now', (around) => {
    const isValid = Math.abs(around) <= 1
    expect(totpStepOf(SECRET, totpCode(SECRET, step + around), now)).toBe(isValid ? step + around : undefined)
  })

  test.each(['', '12345', '1234567', '00592４', 'abcdef'])('that is %j is invalid', (code) => {
    expect(totpStepOf(SECRET, code, now)).toBeUndefined()
  })
})

test('secrets are random, in base32, and part of an address for apps', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  expect(totpAddress('ABC', 'ada@mail', 'Freshet (news)')).toBe(
    'otpauth://totp/Freshet%20(news):ada%40mail?secret=ABC&issuer=Freshet%20(news)',
  )
})

test('recovery codes are ten different ones, however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  const [code = ''] = codes
  expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  expect(hashOfRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(hashOfRecoveryCode(code))
  expect(hashOfRecoveryCode(codes[1] ?? '')).not.toBe(hashOfRecoveryCode(code))
})
