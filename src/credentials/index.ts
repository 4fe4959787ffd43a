/**
 * Authentication primitives: names, passwords, secrets, and throttling of failed attempts. Independent of where users are stored. Terms
 * beside those of the model:
 *
 * - secret:     the random value of an access token; shown once and stored as a hash
 * - attempt:    to log in; every failure delays the next one
 */
export { type AttemptKey, type AttemptLimiter, createAttemptLimiter } from './attempt-limiter.ts'
export { feverHash, feverKey, feverSecret, isFeverSecret } from './fever.ts'
export { findNameProblem } from './name.ts'
export { findPasswordProblem, hashPassword, verifyPassword } from './password.ts'
export { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
export { hashOfSecret, newSecret } from './secret.ts'
export { newTotpSecret, TOTP_STEP_MS, totpAddress, totpStepOf } from './totp.ts'
