/**
 * Formats articles as Markdown or HTML files. Note-taking programs and site generators read Markdown with front matter. An HTML
 * page is self-contained: it loads only images and media, and runs no scripts.
 */
import { markdownOf } from '../articles/index.ts'
import { jsonText, type Medium, withoutControls } from '../model/index.ts'
import type { StoredReadableArticle } from './readable-article.ts'

export interface ArticleFormat {
  extension: string
  /** A document with one article. */
  document(readable: StoredReadableArticle): string
  /** The parts of a document with several articles: its start, each article, and its end. */
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
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, '')
    .toWellFormed()
  return `${[day, words, id].filter(Boolean).join('-')}.${extension}`
}

const MAX_NAME_LENGTH = 60 // characters of up to four bytes; file names have at most 255 bytes

/** One line of the index of a folder. */
export function indexLine({ title, at, source }: StoredReadableArticle, file: string): string {
  const about = [at === undefined ? undefined : dayOf(at), source].filter((part) => part !== undefined).join(', ')
  return `<li><a href="${escapeHtml(encodeURIComponent(file))}">${escapeHtml(title || 'Untitled')}</a> <small>${escapeHtml(about)}</small></li>`
}

function frontMatter(readable: StoredReadableArticle): string {
  const { title, url, authors, at, dateOnly, source, language, category, keywords, description, media, id } = readable
  // JSON strings and lists are valid YAML.
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
  const mediaLines = mediaBeside(media, html).map((medium) => {
    const link = `[${plainMarkdown(mediumName(medium))}](<${medium.url.replace(/[<>]/g, encodeURIComponent)}>)`
    return medium.kind === 'image' ? `!${link}` : link
  })
  return [heading, ...(note ? [`*(${singleLine(note)})*`] : []), ...mediaLines, markdownOf(html)].join('\n\n')
}

function plainMarkdown(text: string): string {
  return singleLine(text).replace(/[\\`*_[\]<]/g, '\\$&')
}

/** Media that the text does not show. A preview is included only if there is no other image or video. */
function mediaBeside(media: readonly Medium[], html: string): Medium[] {
  const fullMedia = media.filter(({ preview }) => !preview)
  const hasVisual = fullMedia.some(({ kind }) => kind === 'image' || kind === 'video') || /<(?:img|video)\b/.test(html)
  const candidates = hasVisual ? fullMedia : [...fullMedia, ...media.filter(({ preview }) => preview).slice(0, 1)]
  return candidates.filter(({ url }) => !html.includes(escapeHtml(url)) && !html.includes(url))
}

function mediumName({ title, kind, type, url }: Medium): string {
  return title ?? (kind === 'image' ? '' : [kind === 'other' ? (type ?? 'file') : kind, fileNameInUrl(url)].join(': '))
}

function fileNameInUrl(url: string): string {
  return new URL(url).pathname.split('/').at(-1) || url
}

const POLICY = "default-src 'none'; img-src http: https:; media-src http: https:; style-src 'unsafe-inline'"
const STYLE =
  'body{max-width:40em;margin:2em auto;padding:0 1em;font:1.1em/1.5 Georgia,serif}img,video{max-width:100%;height:auto}' +
  'pre{overflow:auto}article{border-bottom:1px solid #ccc;padding-bottom:2em}small,.about{color:#555}'

export function htmlHead(title: string, language: string | undefined): string {
  return `<!doctype html>
<html${language ? ` lang="${escapeHtml(language)}"` : ''}>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title || 'Untitled')}</title>
<style>${STYLE}</style>`
}

function htmlBody(
  { title, url, authors, at, source, note, media = [], html }: StoredReadableArticle,
  heading: 'h1' | 'h2',
): string {
  const date = at === undefined ? undefined : `<time datetime="${new Date(at).toISOString()}">${dayOf(at)}</time>`
  const about = [
    authors && escapeHtml(authors.join(', ')),
    date,
    source && escapeHtml(source),
    note && escapeHtml(note),
  ]
  const link =
    url && /^https?:/.test(url)
      ? `<p><a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(url)}</a></p>`
      : ''
  return `<article dir="auto">
<${heading}>${escapeHtml(title || 'Untitled')}</${heading}>
<p class="about">${about.filter(Boolean).join(' · ')}</p>
${mediaBeside(media, html).map(mediumHtml).join('\n')}${html}
${link}
</article>`
}

/** Only images load by themselves; audio and video load when the reader plays them. */
function mediumHtml(medium: Medium): string {
  const { kind, url, width, height } = medium
  const [address, name] = [escapeHtml(url), escapeHtml(mediumName(medium))]
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

function escapeHtml(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function singleLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ')
}
