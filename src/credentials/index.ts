/**
 * Authentication primitives: names, passwords, secrets, and throttling of failed attempts. Independent of where users are stored. Terms
 * beside those of the model:
 *
 * - secret:     the random value of an access token; shown once and stored as a hash
 * - attempt:    to log in; every failure delays the next one
 */
export { type AttemptKey, type AttemptLimiter, createAttempts } from './attempt-limiter.ts'
export { feverHash, feverKey, feverProof, isFeverProof } from './fever.ts'
export { troubleWithName } from './name.ts'
export { hashPassword, isPassword, troubleWithPassword } from './password.ts'
export { hashOfSecret, newSecret } from './secret.ts'
