/**
 * What the names say that authors of pages give to their elements: class, id and the like. They are taken apart into words
 * ("ArticleShare__links" -> article, share, links) and each word, and each two neighbours, are looked up. English rules
 * the class names of the whole world, so one list serves. Names are hints: whoever asks weighs them against the text.
 */
import { createNameTable } from '../../markup/index.ts'
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

/** What the names of each element say, by its index. */
export function namesSay(pieces: readonly PagePiece[]): Uint8Array {
  const said = new Uint8Array(pieces.length)
  for (let i = 1; i < pieces.length; i++) {
    const { attributes } = pieces[i]!
    if (attributes !== NONE) said[i] = saidBy(attributes)
  }
  return said
}

function saidBy({ class: classes, id, mark }: Readonly<Attributes>): number {
  let said = classes === undefined ? 0 : judge(classes)
  if (id !== undefined && !isSlug(id)) said |= judge(id)
  if (mark !== undefined) said |= judge(mark)
  return said
}

/** Headings and sections have their text for an id: "h-share-your-story-with-others". */
function isSlug(id: string): boolean {
  return id.length > 24 && id.split(/[-_]/).length > 4
}

const LONGEST = 400

/** Words are looked up where they stand: to cut them out costs more than all else, and a page has thousands of them. */
function judge(names: string): number {
  const end = Math.min(names.length, LONGEST)
  let verdict = 0
  /** The word before this one, if it is of the same name. */
  let before = 0
  let beforeEnd = 0
  for (let at = 0; at < end; at++) {
    const kind = letterAt(names, at)
    if (kind === NO_LETTER) {
      if (names.charCodeAt(at) <= 32) beforeEnd = before
      continue
    }
    const wordEnd = endOfWord(names, at, end)
    verdict |= meaningOf(names, at, at, at, wordEnd)
    if (beforeEnd > before) verdict |= meaningOf(names, before, beforeEnd, at, wordEnd)
    const isIdle =
      beforeEnd === before && wordEnd < end && isDash(names.charCodeAt(wordEnd)) && idleAt(names, at, wordEnd)
    before = at
    beforeEnd = wordEnd
    at = (isIdle ? endOfName(names, wordEnd, end) : wordEnd) - 1
  }
  return verdict
}

/** A word goes on while small letters do, and capitals that follow a capital. */
function endOfWord(names: string, start: number, end: number): number {
  let before = letterAt(names, start)
  let at = start + 1
  for (; at < end; at++) {
    const kind = letterAt(names, at)
    if (kind === NO_LETTER || (kind === CAPITAL && before !== CAPITAL)) break
    before = kind
  }
  return at
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
const idleAt = createNameTable(
  'category tag cat has no is format type status js lg md sm xl elementor et jeg td vc with'
    .split(' ')
    .map((word): [string, true] => [word, true]),
)

interface Meaning {
  word: string
  bits: number
}

const LONGEST_WORD = 31

/** By length and first letter. */
const WORDS: (Meaning[] | undefined)[] = Array.from({ length: (LONGEST_WORD + 1) * 32 }, () => undefined)

function drawerOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

/** What one word means, or two that are written as one: from `start` to `middle`, and from `rest` to `end`. */
function meaningOf(names: string, start: number, middle: number, rest: number, end: number): number {
  const length = middle - start + end - rest
  const drawer = length > LONGEST_WORD ? undefined : WORDS[drawerOf(length, names.charCodeAt(start))]
  if (drawer === undefined) return 0
  for (let i = 0; i < drawer.length; i++) if (isAt(names, start, middle, rest, drawer[i]!.word)) return drawer[i]!.bits
  return 0
}

/** Letters only: capitals and small ones differ in one bit. */
function isAt(names: string, start: number, middle: number, rest: number, text: string): boolean {
  let at = start === middle ? rest : start
  for (let i = 0; i < text.length; i++) {
    if ((names.charCodeAt(at) | 32) !== text.charCodeAt(i)) return false
    at = at + 1 === middle ? rest : at + 1
  }
  return true
}

function mean(bit: number, list: string): void {
  for (const word of list.split(/\s+/)) {
    const place = drawerOf(word.length, word.charCodeAt(0))
    const drawer = WORDS[place] ?? []
    const known = drawer.find((meaning) => meaning.word === word)
    if (known) known.bits |= bit
    else drawer.push({ word, bits: bit })
    WORDS[place] = drawer
  }
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
