/** Text whose percent signs encode no UTF-8 stays as it is. */
export function decodedIfPossible(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
