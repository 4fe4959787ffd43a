/** Text whose percent signs encode no UTF-8 stays as it is. */
export function decodeIfPossible(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
