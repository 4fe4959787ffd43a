/**
 * Classifies elements by class, id and similar names. Names are split into words ("ArticleShare__links" -> article, share,
 * links), and each word and each pair of neighbours is looked up. Class names are English worldwide, so one list suffices.
 * Names are hints that callers weigh against the text.
 */
import { type Attributes, NO_ATTRIBUTES } from '../page/attributes.ts'
import type { PageNode } from '../page/page-node.ts'

/** Bit flags, because an element may have several meanings. */
export const BOILERPLATE = 1
export const BODY = 2
/** Comments and further articles: comes after an article and may be longer. */
export const COMMENTS = 4
/** As often boilerplate as text. */
export const DOUBTFUL = 8
/** A box with a picture and its caption. */
export const PICTURE = 16
/** Between headline and body, summarizing the text. */
export const LEAD = 32
/** Names that begin so describe the topic or the layout: "category-share", "has-sidebar". */
const IDLE = 64

/** The flags of each element, by index. */
export function classifyNames(nodes: readonly PageNode[]): Uint8Array {
  const flags = new Uint8Array(nodes.length)
  for (let i = 1; i < nodes.length; i++) {
    const { attributes } = nodes[i]!
    if (attributes !== NO_ATTRIBUTES) flags[i] = flagsOf(attributes)
  }
  return flags
}

function flagsOf({ class: classes, id, testId }: Readonly<Attributes>): number {
  let flags = classes === undefined ? 0 : flagsOfNames(classes)
  if (id !== undefined && !isSlug(id)) flags |= flagsOfNames(id)
  if (testId !== undefined) flags |= flagsOfNames(testId)
  return flags
}

/** Headings and sections often use their text as id: "h-share-your-story-with-others". */
function isSlug(id: string): boolean {
  return id.length > 24 && id.split(/[-_]/).length > 4
}

const MAX_NAMES_LENGTH = 400

/**
 * Words are identified by a rolling hash, and pairs likewise, because cutting and joining strings is the most expensive
 * part. Collisions are too rare to matter.
 */
function flagsOfNames(names: string): number {
  const end = Math.min(names.length, MAX_NAMES_LENGTH)
  let verdict = 0
  /** The previous word of the name, the current one, and both together. 0 for none. */
  let before = 0
  let word = 0
  let both = 0
  let last = 0
  for (let i = 0; i <= end; i++) {
    const code = i < end ? names.charCodeAt(i) : SPACE
    const goesOn = isSmall(code) || (isCapital(code) && (word === 0 || isCapital(last)))
    if (word !== 0 && !goesOn) {
      const meaning = MEANINGS.get(word) ?? 0
      verdict |= meaning | (before === 0 ? 0 : (MEANINGS.get(both) ?? 0))
      if (before === 0 && (meaning & IDLE) !== 0 && isDash(code)) i = endOfName(names, i, end)
      before = word
      word = 0
    }
    if (isSmall(code) || isCapital(code)) {
      both = withLetter(word === 0 ? before : both, code)
      word = withLetter(word, code)
    } else if (i === end || names.charCodeAt(i) <= SPACE) before = 0
    last = code
  }
  return verdict & ~IDLE
}

const SPACE = 32

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

function isDash(code: number): boolean {
  return code === 45 || code === 95
}

function endOfName(names: string, from: number, end: number): number {
  let i = from
  while (i < end && names.charCodeAt(i) > SPACE) i++
  return i
}

/** Upper and lower case differ in one bit. */
function withLetter(word: number, code: number): number {
  return (Math.imul(word, 31) + (code | 32)) & 0x3fffffff
}

/** The meaning of each word, by its hash. */
const MEANINGS = new Map<number, number>()

function setMeaning(bit: number, list: string): void {
  for (const text of list.split(/\s+/)) {
    let word = 0
    for (let i = 0; i < text.length; i++) word = withLetter(word, text.charCodeAt(i))
    MEANINGS.set(word, (MEANINGS.get(word) ?? 0) | bit)
  }
}

setMeaning(
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
setMeaning(
  DOUBTFUL,
  `widget widgets hidden hide sidebar rail ad ads adv advertising banner banners meta shares social socials socialmedia promo
  promos promotion overlay popup modal menu menus nav slider carousel teaser teasers toc callout infobox factbox
  notification alert player poll rating ratings print paywall sponsor sponsors topics keywords categories foot skip vh
  readmore tooltip author authors date info details`,
)
setMeaning(
  BODY,
  `articlebody articlecontent articletext articlemain articlecopy articledetail storybody storycontent storytext postbody
  postcontent posttext postentry entrycontent entrybody entrytext contentbody bodytext bodycopy bodycontent maincontent
  maintext pagecontent newscontent newsbody newstext newsdetail richtext singlecontent textcontent prose markdownbody
  fieldnamebody namebody`,
)
setMeaning(
  COMMENTS,
  'comment comments commentlist commentsection commentarea disqus respond replies livefyre viafoura spotim discussion ' +
    'newsticker liveticker nextarticle nextstory',
)
setMeaning(
  LEAD,
  `lead leads leadtext leadin lede standfirst dek deck sapo chapo chapeau ingress intro introduction introtext teaser subtitle
  subtitles subheadline subheading subhead subhed subheader subline subdeck strapline summary synopsis abstract excerpt
  blurb description preamble entradilla bajada copete volanta sumario sumário resumo linhafina sommario sottotitolo
  occhiello vorspann anriss untertitel unterzeile perex anons zajawka manchet underrubrik undertitel
  zusammenfassung`,
)
setMeaning(
  PICTURE,
  'image images img imgs photo photos picture figure media thumb thumbnail foto fotos bild imagem imagen',
)
setMeaning(IDLE, 'category tag cat has no is format type status js lg md sm xl elementor et jeg td vc with')
