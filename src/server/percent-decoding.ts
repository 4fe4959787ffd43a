/** Decodes percent-encoding; text that is not valid UTF-8 when decoded stays unchanged. */
export function decodeIfPossible(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
