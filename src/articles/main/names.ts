/**
 * What the names say that authors of pages give to their elements: class, id and the like. They are taken apart into words
 * ("ArticleShare__links" -> article, share, links) and each word, and each two neighbours, are looked up. English rules
 * the class names of the whole world, so one list serves. Names are hints: whoever asks weighs them against the text.
 */
import { type Attributes, NONE } from '../page/attributes.ts'
import type { PagePiece } from '../page/piece.ts'

/** Bits, for one element may say several things. */
export const BOILERPLATE = 1
export const BODY = 2
/** Of what stands behind articles and may be longer: what readers write, and what is told next. */
export const COMMENTS = 4
/** Of boilerplate as often as of text. */
export const DOUBTFUL = 8
/** Of a box with a picture and what is written under it. */
export const PICTURE = 16
/** Of what stands between headline and body and says what follows. */
export const LEAD = 32

/** What the names of each element say, by its index. A page has few names and many elements: each is judged once. */
export function namesSay(pieces: readonly PagePiece[]): Uint8Array {
  const said = new Uint8Array(pieces.length)
  const known = new Map<string, number>()
  for (let i = 1; i < pieces.length; i++) {
    const { attributes } = pieces[i]!
    if (attributes !== NONE) said[i] = saidBy(attributes, known)
  }
  return said
}

function saidBy({ class: classes, id, mark }: Readonly<Attributes>, known: Map<string, number>): number {
  let said = classes === undefined ? 0 : verdictOn(classes, known)
  if (id !== undefined && !isSlug(id)) said |= verdictOn(id, known)
  if (mark !== undefined) said |= verdictOn(mark, known)
  return said
}

function verdictOn(names: string, known: Map<string, number>): number {
  let verdict = known.get(names)
  if (verdict === undefined) {
    verdict = judge(names)
    known.set(names, verdict)
  }
  return verdict
}

/** Headings and sections have their text for an id: "h-share-your-story-with-others". */
function isSlug(id: string): boolean {
  return id.length > 24 && id.split(/[-_]/).length > 4
}

const LONGEST = 400

function judge(names: string): number {
  let verdict = 0
  let before = ''
  let start = -1
  const end = Math.min(names.length, LONGEST)
  for (let i = 0; i <= end; i++) {
    const kind = i < end ? letterAt(names, i) : NO_LETTER
    const goesOn = kind === SMALL || (kind === CAPITAL && (start < 0 || letterAt(names, i - 1) === CAPITAL))
    if (start >= 0 && !goesOn) {
      const word = names.slice(start, i).toLowerCase()
      verdict |= (WORDS.get(word) ?? 0) | (before === '' ? 0 : (WORDS.get(before + word) ?? 0))
      if (before === '' && i < end && isDash(names.charCodeAt(i)) && IDLE.has(word)) i = endOfName(names, i, end)
      before = word
      start = -1
    }
    if (kind !== NO_LETTER && start < 0) start = i
    if (i < end && names.charCodeAt(i) <= 32) before = ''
  }
  return verdict
}

const NO_LETTER = 0
const SMALL = 1
const CAPITAL = 2

function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 97 && code <= 122) return SMALL
  return code >= 65 && code <= 90 ? CAPITAL : NO_LETTER
}

function isDash(code: number): boolean {
  return code === 45 || code === 95
}

function endOfName(names: string, from: number, end: number): number {
  let i = from
  while (i < end && names.charCodeAt(i) > 32) i++
  return i
}

/** How names begin that say what the text is about or how the page is built: "category-share", "has-sidebar". */
const IDLE: ReadonlySet<string> = new Set(
  'category tag cat has no is format type status js lg md sm xl elementor et jeg td vc with'.split(' '),
)

const WORDS = new Map<string, number>()

function mean(bit: number, list: string): void {
  for (const word of list.split(/\s+/)) WORDS.set(word, (WORDS.get(word) ?? 0) | bit)
}

mean(
  BOILERPLATE,
  `share sharing sharedaddy addthis sociallinks socialshare socialbar socialicons related relateds relatedposts
  relatedarticles recirc recommend recommended recommendation recommendations newsletter newsletters subscribe subscription
  signup advert adverts advertisement adsense sponsored cookie cookies consent gdpr breadcrumb breadcrumbs pagination pager
  comment comments commentlist disqus respond reply replies toolbar navbar navigation footer masthead mostread mostpopular
  trending popular readnext morestories morenews alsoread seealso tags taglist tagcloud hashtags taboola outbrain zergnet
  authorbio authorbox authorinfo authorcard authorprofile authorblock authordetails aboutauthor abouttheauthor saboxplugin multipleauthors bio byline bylines postmeta
  entrymeta articlemeta metadata dateline timestamp copyright disclaimer credit credits gallery slideshow bookmark login
  skiplink sronly screenreader visuallyhidden shoutbox noprint feedback contactform search dropdown prevnext postnavigation
  nextpost prevpost adjacent apppromo donate donation fundraiser fundraising inlinerelated embedrelated jprelatedposts yarpp
  caption captions catlinks kicker eyebrow offcanvas mobilemenu ticker newsticker liveticker livefeed nextarticle nextstory upnext
  nextup testimonial testimonials testimonal cta rodape piepagina fusszeile voettekst stopka sidfot externalcontent embedprivacy embedconsent privacyoverlay optin borlabs`,
)
mean(
  DOUBTFUL,
  `widget widgets hidden hide sidebar rail ad ads adv advertising banner banners meta shares social socials socialmedia promo
  promos promotion overlay popup modal menu menus nav slider carousel teaser teasers toc callout infobox factbox
  notification alert player poll rating ratings print paywall sponsor sponsors topics keywords categories foot skip vh
  readmore tooltip author authors date info details`,
)
mean(
  BODY,
  `articlebody articlecontent articletext articlemain articlecopy articledetail storybody storycontent storytext postbody
  postcontent posttext postentry entrycontent entrybody entrytext contentbody bodytext bodycopy bodycontent maincontent
  maintext pagecontent newscontent newsbody newstext newsdetail richtext singlecontent textcontent prose markdownbody
  fieldnamebody namebody`,
)
mean(
  COMMENTS,
  'comment comments commentlist commentsection commentarea disqus respond replies livefyre viafoura spotim discussion ' +
    'newsticker liveticker nextarticle nextstory',
)
mean(
  LEAD,
  `lead leads leadtext leadin lede standfirst dek deck sapo chapo chapeau ingress intro introduction introtext teaser subtitle
  subtitles subheadline subheading subhead subhed subheader subline subdeck strapline summary synopsis abstract excerpt
  blurb description preamble entradilla bajada copete volanta sumario sumário resumo linhafina sommario sottotitolo
  occhiello vorspann anriss untertitel unterzeile perex anons zajawka manchet underrubrik undertitel
  zusammenfassung`,
)
mean(PICTURE, 'image images img imgs photo photos picture figure media thumb thumbnail foto fotos bild imagem imagen')
