/** Copies a string, so that it is not a slice: a slice would keep the whole document in memory. */
export function copyString(text: string): string {
  return Buffer.from(text).toString()
}
