/** The beginning of an entry's text, for rows of lists. */
import { plainText } from '../feeds/index.ts'
import type { Entry, StoredArticle } from '../model/index.ts'

/** Characters of HTML that are read. Some texts begin with a picture with long addresses. */
const MAX_HTML = 6000
/** Four lines of a wide row. */
const MAX_LENGTH = 280

/** Of an article that may be shown. Without the boilerplate of its feed and without the title, which many feeds repeat; undefined if nothing else is left. */
export function excerptOf(
  { title, summary, content }: Pick<Entry, 'title' | 'summary' | 'content'>,
  {
    article,
    withoutBoilerplate = (text) => text,
  }: { article?: StoredArticle | undefined; withoutBoilerplate?: (text: string) => string } = {},
): string | undefined {
  for (const html of [summary, content, article?.facts?.description]) {
    if (!html) continue
    const text = withoutBoilerplate(plainText(withoutBrokenTag(html)))
    const excerpt = shortened(withoutTitle(text, title))
    if (excerpt) return excerpt
  }
  return undefined
}

/** A tag that is cut off would become text. */
function withoutBrokenTag(html: string): string {
  if (html.length <= MAX_HTML) return html
  const cut = html.slice(0, MAX_HTML)
  const opened = cut.lastIndexOf('<')
  return opened > cut.lastIndexOf('>') ? cut.slice(0, opened) : cut
}

/** Unless the title is the beginning of the text's first sentence. */
function withoutTitle(text: string, title: string): string {
  if (title === '' || !text.startsWith(title)) return text
  const rest = text.slice(title.length)
  return /^(?:\s*[.:!?|–—-]|\s+[\p{Lu}\p{Lo}"“„«]|\s*$)/u.test(rest) ? rest.replace(/^[\s.:!?|–—-]+/, '') : text
}

function shortened(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= MAX_LENGTH) return trimmed
  const space = trimmed.lastIndexOf(' ', MAX_LENGTH)
  const end = space > MAX_LENGTH / 2 ? space : MAX_LENGTH
  return `${trimmed.slice(0, end).replace(/[\s,;:–—-]+$|[\ud800-\udbff]$/, '')} …`
}
