/**
 * Who somebody is, and how he proves it: names, passwords, secrets, and how those are slowed who guess. Nothing here knows where
 * people are kept. Its own words, beside those of the model:
 *
 * - secret:     what a pass proves itself by: random, shown once, kept as a hash
 * - attempt:    to log in; every failure makes the next one wait longer
 */
export { type AttemptKey, type Attempts, createAttempts } from './attempts.ts'
export { feverHash, feverKey, feverProof, isFeverProof } from './fever.ts'
export { troubleWithName } from './name.ts'
export { hashPassword, isPassword, troubleWithPassword } from './password.ts'
export { hashOfSecret, newSecret } from './secret.ts'
