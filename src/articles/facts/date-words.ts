/**
 * The words that label a date as that of publication or of a change. They are searched in lower case, and the character
 * before a match is checked separately: a case-insensitive pattern with Unicode letters takes milliseconds to compile.
 */

export function mentionsPublished(text: string): boolean {
  return indexOfPublished(text) >= 0
}

export function mentionsChanged(text: string): boolean {
  return positionOf(CHANGED, toLowerCase(text), 0) >= 0
}

/** Position of the first such word; -1 for none. */
export function indexOfPublished(text: string): number {
  return positionOf(PUBLISHED, toLowerCase(text), 0)
}

/** Positions of labels of both kinds, in order. */
export function indexesOfLabels(text: string): number[] {
  const positions: number[] = []
  const lowerText = toLowerCase(text)
  for (const pattern of [PUBLISHED, CHANGED]) {
    for (let at = positionOf(pattern, lowerText, 0); at >= 0; at = positionOf(pattern, lowerText, at + 1))
      positions.push(at)
  }
  return [...new Set(positions)].sort((a, b) => a - b)
}

/** Lower case without changing the length, so that positions stay valid. */
function toLowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll('İ', 'I').toLowerCase()
}

/** The first match that does not follow a letter. */
function positionOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match.index === 0 || !/\p{L}/u.test(text[match.index - 1]!)) return match.index
    pattern.lastIndex = match.index + 1
  }
  return -1
}

const toPattern = (alternatives: string) =>
  alternatives.trim().replaceAll('\n', '|').replaceAll('LETTER', '[a-z\\u00df-\\u024f]')

/** "Published", "posted", "written" and similar labels of templates in many languages; inflections may follow. */
export const PUBLISH_WORDS =
  toPattern(`publish(?:ed|ing)?|posted|written|created|publication date|pub date|dated?(?!LETTER)
veröffentlich|erschien|publizier|erstellt|geschrieben|verfasst|eingestellt|gepostet|online seit|datum(?!LETTER)
publié|posté|paru|mis en ligne|mise en ligne|rédigé|écrit le|publicad|publicat|posteado|escrito|fecha|postad|data(?!LETTER)
pubblicat|postato|scritto|inserito il|geplaatst|gepubliceerd|geschreven|verschenen
opublikowan|dodano|napisan|zamieszczon|publicer|skriven|skrevet|udgivet|offentliggjort|publisert|julkaistu|kirjoitettu|birt(?!h)
publikován|zveřejněn|vydáno|vloženo|napsáno|publikovan|zverejnen|uverejnen|pridané|megjelen|közzétév|közzétet|írta
postat|scris|objavljen|objavio|publikuar|paskelbta|publicēt|avaldatud|yayın|yazıldı|gönderil|eklenme
опубликов|размещ|добавлен|публикац|дата|опублік|розміщен|публікув|публикув|објављен|δημοσιε|αναρτήθηκε
diposting|dipublikasi|diterbitkan|terbit|ditulis|đăng|xuất bản|nai-post
發布|发布|發表|发表|刊登|日期|时间|時間|投稿|公開|掲載|配信|입력|등록|작성|게시|نشر|تاريخ|تاریخ|منتشر|פורסם|เผยแพร่|โพสต์|วันที่|प्रकाशित`)

const CHANGE_WORDS =
  toPattern(`updat|modif|edited|reviewed|revised|last change|aktualis|geändert|überarbeitet|bearbeitet|ergänzt|zuletzt
mis à jour|mise à jour|màj|modifié|actuali[sz]|atualiz|alterad|aggiorna|modificato|bijgewerkt|gewijzigd|aangepast
uppdater|opdater|oppdater|ändrad|endret|ændret|päivitet|muokat|zaktualiz|aktualiz|edytowan|upraven|frissít|módosít|ažurir|izmenjen
güncelle|обновл|изменен|оновлен|обновен|ενημερώ|diperbarui|cập nhật|更新|수정|업데이트|تحديث|به‌روز|עודכן|อัปเดต`)

const PUBLISHED = new RegExp(PUBLISH_WORDS, 'g')
/** "Updated" in the most common languages. */
const CHANGED = new RegExp(CHANGE_WORDS, 'g')
