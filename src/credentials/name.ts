/** Valid user names: can be typed, distinguished, and used in URLs. */
const VALID_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._@-]{0,62}[\p{L}\p{N}])?$/u

/** Undefined if the name is valid. */
export function findNameProblem(name: string): { message: string; hint: string } | undefined {
  if (VALID_NAME.test(name)) return undefined
  return {
    message: `"${name.slice(0, 70)}" is not a valid user name`,
    hint: 'use 1 to 64 letters and digits, with dots, hyphens, underscores or @ between them',
  }
}
