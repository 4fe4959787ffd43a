/**
 * Articles as files for people. Markdown with front matter is what note takers and site generators read; an HTML page stands
 * for itself, asks nobody for anything but pictures, and runs nothing.
 */
import { markdownOf } from '../articles/index.ts'
import { jsonText, type Medium, withoutControls } from '../model/index.ts'
import type { StoredReadableArticle } from './readable-article.ts'

export interface ArticleFormat {
  extension: string
  /** One article as a document of its own. */
  document(readable: StoredReadableArticle): string
  /** One article among others in one document: what stands before all, each, and what ends it. */
  begin(): string
  part(readable: StoredReadableArticle): string
  end: string
}

export const MARKDOWN: ArticleFormat = {
  extension: 'md',
  document: (readable) => `${frontMatter(readable)}\n${markdownBody(readable)}\n`,
  begin: () => '',
  part: (readable) => `${frontMatter(readable)}\n${markdownBody(readable)}\n`,
  end: '',
}

export const HTML: ArticleFormat = {
  extension: 'html',
  document: (readable) => `${htmlHead(readable.title, readable.language)}\n${htmlBody(readable, 'h1')}\n</html>\n`,
  begin: () => htmlHead('Articles', undefined),
  part: (readable) => htmlBody(readable, 'h2'),
  end: '</html>\n',
}

/** `2026-01-31-bridge-reopens-17.md`: sorted by date, readable, and the same at every export. */
export function fileNameOf({ title, at, id }: StoredReadableArticle, { extension }: ArticleFormat): string {
  const day = at === undefined ? 'undated' : dayOf(at)
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, '')
    .toWellFormed()
  return `${[day, words, id].filter(Boolean).join('-')}.${extension}`
}

const LONGEST_NAME = 60 // of letters that may take four bytes: 255 is what a name may have

/** A list of what is in a folder, for browsers. */
export function indexLine({ title, at, source }: StoredReadableArticle, file: string): string {
  const about = [at === undefined ? undefined : dayOf(at), source].filter((part) => part !== undefined).join(', ')
  return `<li><a href="${escaped(encodeURIComponent(file))}">${escaped(title || 'Untitled')}</a> <small>${escaped(about)}</small></li>`
}

function frontMatter(readable: StoredReadableArticle): string {
  const { title, url, authors, at, dateOnly, source, language, category, keywords, description, media, id } = readable
  // A string of JSON is one of YAML, and so is a list.
  const fields: [string, unknown][] = [
    ['title', title],
    ['url', url],
    ['authors', authors],
    ['source', source],
    ['language', language],
    ['category', category],
    ['tags', keywords],
    ['description', description],
    ['media', media?.map(({ url }) => url)],
    ['id', id],
  ]
  const date = at === undefined ? [] : [`date: ${dateOnly ? dayOf(at) : new Date(at).toISOString()}`]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${jsonText(value)}`]))
  return ['---', ...lines, ...date, '---', ''].join('\n')
}

function markdownBody({ title, html, note, media = [] }: StoredReadableArticle): string {
  const heading = `# ${plainMarkdown(title) || 'Untitled'}`
  const beside = notShown(media, html).map((medium) => {
    const link = `[${plainMarkdown(nameOf(medium))}](<${medium.url.replace(/[<>]/g, encodeURIComponent)}>)`
    return medium.kind === 'image' ? `!${link}` : link
  })
  return [heading, ...(note ? [`*(${lineOf(note)})*`] : []), ...beside, markdownOf(html)].join('\n\n')
}

function plainMarkdown(text: string): string {
  return lineOf(text).replace(/[\\`*_[\]<]/g, '\\$&')
}

/** What the text does not show itself. A preview is for lists, unless there is nothing else to see. */
function notShown(media: readonly Medium[], html: string): Medium[] {
  const whole = media.filter(({ preview }) => !preview)
  const seen = whole.some(({ kind }) => kind === 'image' || kind === 'video') || /<(?:img|video)\b/.test(html)
  const shown = seen ? whole : [...whole, ...media.filter(({ preview }) => preview).slice(0, 1)]
  return shown.filter(({ url }) => !html.includes(escaped(url)) && !html.includes(url))
}

function nameOf({ title, kind, type, url }: Medium): string {
  return title ?? (kind === 'image' ? '' : [kind === 'other' ? (type ?? 'file') : kind, fileIn(url)].join(': '))
}

function fileIn(url: string): string {
  return new URL(url).pathname.split('/').at(-1) || url
}

const POLICY = "default-src 'none'; img-src http: https:; media-src http: https:; style-src 'unsafe-inline'"
const STYLE =
  'body{max-width:40em;margin:2em auto;padding:0 1em;font:1.1em/1.5 Georgia,serif}img,video{max-width:100%;height:auto}' +
  'pre{overflow:auto}article{border-bottom:1px solid #ccc;padding-bottom:2em}small,.about{color:#555}'

export function htmlHead(title: string, language: string | undefined): string {
  return `<!doctype html>
<html${language ? ` lang="${escaped(language)}"` : ''}>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escaped(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${escaped(title || 'Untitled')}</title>
<style>${STYLE}</style>`
}

function htmlBody(
  { title, url, authors, at, source, note, media = [], html }: StoredReadableArticle,
  heading: 'h1' | 'h2',
): string {
  const date = at === undefined ? undefined : `<time datetime="${new Date(at).toISOString()}">${dayOf(at)}</time>`
  const about = [authors && escaped(authors.join(', ')), date, source && escaped(source), note && escaped(note)]
  const link =
    url && /^https?:/.test(url) ? `<p><a href="${escaped(url)}" rel="noopener noreferrer">${escaped(url)}</a></p>` : ''
  return `<article dir="auto">
<${heading}>${escaped(title || 'Untitled')}</${heading}>
<p class="about">${about.filter(Boolean).join(' · ')}</p>
${notShown(media, html).map(mediumHtml).join('\n')}${html}
${link}
</article>`
}

/** Nothing is loaded before somebody asks for it, but pictures. */
function mediumHtml(medium: Medium): string {
  const { kind, url, width, height } = medium
  const [address, name] = [escaped(url), escaped(nameOf(medium))]
  const size = width !== undefined && height !== undefined ? ` width="${width}" height="${height}"` : ''
  switch (kind) {
    case 'image':
      return `<figure><img src="${address}" alt="${name}"${size} loading="lazy"></figure>`
    case 'audio':
    case 'video':
      return `<figure><${kind} controls preload="none" src="${address}"${size}></${kind}><figcaption><a href="${address}">${name}</a></figcaption></figure>`
    default:
      return `<p><a href="${address}" rel="noopener noreferrer">${name}</a></p>`
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function escaped(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function lineOf(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ')
}
