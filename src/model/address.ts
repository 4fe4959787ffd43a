/** An address as it may be shown and logged: without the name and password that may stand in it. */
export function withoutSecrets(url: string): string {
  if (!url.includes('@') || !URL.canParse(url)) return url
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}
