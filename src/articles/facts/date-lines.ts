/**
 * Lines that are there for their date: "Posted on March 3, 2026 by Ada", "Erschienen am: 3.3.2026", a date alone. What stands
 * before a date says whether it is the day of publication or of a change; one line may tell of both, and the word may stand
 * on the line before.
 */
import type { Block } from '../main/blocks.ts'

export interface DateLine {
  block: Block
  /** From the word that says so on, or the whole line. */
  text: string
  /**
   * - footer:    a sentence in which a template says when the article was published
   * - published: a word says so
   * - changed:   a word says that it is the day of a change
   * - bare:      there is hardly more than a date
   * - plain:     anything else
   */
  kind: 'footer' | 'published' | 'changed' | 'bare' | 'plain'
}

/** What a line says of dates; `before` is the line before it. */
export function dateLinesOf(block: Block, before: Block | undefined): DateLine[] {
  return saidIn(block.text, before?.text ?? '').map((said) => ({ ...said, block }))
}

type Said = Omit<DateLine, 'block'>

function saidIn(text: string, before: string): Said[] {
  if (text.length > LONGEST || !/\p{Nd}/u.test(text)) return []
  if (FOOTER_BEGINS.test(text) && FOOTER.test(text)) return [{ text: fromLabel(text), kind: 'footer' }]
  if (text.length > LONGEST_LINE) return []
  const isNew = PUBLISHED.test(text)
  if (CHANGED.test(text)) return isNew || datesIn(text) > 1 ? partsOf(text) : [{ text, kind: 'changed' }]
  if (text.length > LONGEST_SENTENCE && /[.!?]$/.test(text) && text.search(PUBLISHED) !== 0) return []
  if (isNew) return [{ text: fromLabel(text), kind: 'published' }]
  if (BY.test(text)) return [{ text, kind: 'published' }]
  const isBare = (text.match(/\p{L}{3,}/gu) ?? []).length <= MOST_WORDS
  const label = isBare && isLabel(before) ? before : ''
  if (CHANGED.test(label)) return [{ text, kind: 'changed' }]
  return [{ text, kind: PUBLISHED.test(label) ? 'published' : isBare ? 'bare' : 'plain' }]
}

const LONGEST = 300
const LONGEST_LINE = 120
/** Longer ones that end with a full stop only mention a date. */
const LONGEST_SENTENCE = 50
/** The day of the week, the month, and "at". */
const MOST_WORDS = 3

function isLabel(text: string): boolean {
  return text.length <= 40 && !/\p{Nd}/u.test(text)
}

function fromLabel(text: string): string {
  const rest = text.slice(text.search(PUBLISHED))
  return /\p{Nd}/u.test(rest) ? rest : text
}

/** "Written 3 May 2026, updated 5 May 2026": each date by the word before it. */
function partsOf(text: string): Said[] {
  const parts = text.split(BEFORE_LABEL).filter((part) => /\p{Nd}/u.test(part))
  return parts.map((part) => ({ text: part, kind: CHANGED.test(part) ? 'changed' : 'published' }))
}

function datesIn(text: string): number {
  return text.match(/(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu)?.length ?? 0
}

/** "Published", "posted", "written" and their like, as templates have them in many languages; grammar may follow. */
const PUBLISH_WORDS = `publish(?:ed|ing)?|posted|written|created|publication date|pub date|dated?(?!\\p{L})
veröffentlich|erschien|publizier|erstellt|geschrieben|verfasst|eingestellt|gepostet|online seit|datum(?!\\p{L})
publié|posté|paru|mis en ligne|mise en ligne|rédigé|écrit le|publicad|publicat|posteado|escrito|fecha|postad|data(?!\\p{L})
pubblicat|postato|scritto|inserito il|geplaatst|gepubliceerd|geschreven|verschenen
opublikowan|dodano|napisan|zamieszczon|publicer|skriven|skrevet|udgivet|offentliggjort|publisert|julkaistu|kirjoitettu|birt(?!h)
publikován|zveřejněn|vydáno|vloženo|napsáno|publikovan|zverejnen|uverejnen|pridané|megjelen|közzétév|közzétet|írta
postat|scris|objavljen|objavio|publikuar|paskelbta|publicēt|avaldatud|yayın|yazıldı|gönderil|eklenme
опубликов|размещ|добавлен|публикац|дата|опублік|розміщен|публікув|публикув|објављен|δημοσιε|αναρτήθηκε
diposting|dipublikasi|diterbitkan|terbit|ditulis|đăng|xuất bản|nai-post
發布|发布|發表|发表|刊登|日期|时间|時間|投稿|公開|掲載|配信|입력|등록|작성|게시|نشر|تاريخ|تاریخ|منتشر|פורסם|เผยแพร่|โพสต์|วันที่|प्रकाशित`

const CHANGE_WORDS = `updat|modif|edited|reviewed|revised|last change|aktualis|geändert|überarbeitet|bearbeitet|ergänzt|zuletzt
mis à jour|mise à jour|màj|modifié|actuali[sz]|atualiz|alterad|aggiorna|modificato|bijgewerkt|gewijzigd|aangepast
uppdater|opdater|oppdater|ändrad|endret|ændret|päivitet|muokat|zaktualiz|aktualiz|edytowan|upraven|frissít|módosít|ažurir|izmenjen
güncelle|обновл|изменен|оновлен|обновен|ενημερώ|diperbarui|cập nhật|更新|수정|업데이트|تحديث|به‌روز|עודכן|อัปเดต`

const oneOf = (words: string) => String.raw`(?<!\p{L})(?:${words.trim().replace(/\n/g, '|')})`

const PUBLISHED = new RegExp(oneOf(PUBLISH_WORDS), 'iu')
/** "Updated" in the languages that say it on most pages. */
export const CHANGED = new RegExp(oneOf(CHANGE_WORDS), 'iu')
const BEFORE_LABEL = new RegExp(`(?=${oneOf(PUBLISH_WORDS)})|(?=${oneOf(CHANGE_WORDS)})`, 'iu')

/** Who wrote it, and then when. */
const BY = /^(?:by|von|par|por|di|door|av|af|od|автор)[\s:]/iu

/** How the sentence begins that FOOTER tells of: few lines do, and all of it takes some milliseconds to compile. */
const FOOTER_BEGINS =
  /^.{0,8}(?:this |diese|cet|ce |est[ae] |aquesta |quest[oa] |dit |deze? |ten wpis|wpis|det|denne |tämä |tento |(?:эта )?запись|ця |bu |această |acest |ez a |bejegyzés|この|本|이 글은)/i

/** The sentence below the text of old and new templates: "This entry was posted in Mills on March 3, 2026 by Ada." */
const FOOTER = new RegExp(
  String.raw`^.{0,4}(?:this (?:entry|post|article|item) (?:was|is)|dieser (?:eintrag|beitrag|artikel)|diese[rs]? \p{L}+ wurde|(?:cet|cette|ce) (?:article|entrée|billet|publication)|est[ae] (?:entrada|artículo|post|artigo)|aquesta entrada|quest[oa] (?:articolo|post|voce|elemento)|dit (?:bericht|artikel)|deze? (?:post|inzending)|ten wpis|wpis|(?:detta|det här) inlägg|(?:dette|denne) (?:indlæg|innlegg|artikel)|tämä (?:artikkeli|kirjoitus)|tento (?:příspěvek|záznam|článok)|(?:эта )?запись|ця (?:стаття|запис)|bu (?:yazı|gönderi)|această (?:articol|intrare)|acest articol|ez a bejegyzés|bejegyzés|この(?:投稿|記事|エントリー)|本(?:文|条目)|이 글은).{0,12}?\s?.{0,60}?${oneOf(PUBLISH_WORDS).replace(String.raw`(?<!\p{L})`, '')}`,
  'iu',
)
