/** The same text, but no slice of another: for what is kept longer than its document, all of which a slice would keep. */
export function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}
