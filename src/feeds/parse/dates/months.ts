/** Names of months in the languages that feeds are dated in, and how to find the one that a word means. */

/** 0 = January; undefined where the word is no month. */
export function monthOf(word: string): number | undefined {
  const known = MONTHS.get(word) ?? MONTHS.get(plain(word))
  if (known !== undefined || word.length < 4) return known
  // "septembr.", "ноябрь", "Augustus": the rest of a long name is grammar.
  return MONTHS.get(plain(word).slice(0, 4)) ?? MONTHS.get(plain(word).slice(0, 3))
}

const LISTS = [
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'january february march april may june july august sept october november december',
  // German and Austrian, Dutch, Danish, Norwegian, Swedish
  'jän feb mär apr mai jun jul aug sep okt nov dez',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'jan feb mrt apr maj juni juli aug sept okt nov des',
  // French, Spanish, Italian, Portuguese, Catalan, Romanian
  'janv févr mars avr mai juin juil août sept oct nov déc',
  'janvier février mars avril mai juin juillet aoû septembre octobre novembre décembre',
  'ene feb mar abr mayo jun jul ago sep oct nov dic',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fev março abril maio junho julho agosto set out nov dez',
  'gener febrer març abril maig juny juliol agost setembre octubre novembre desembre',
  'ian feb mar apr mai iun iul aug sep oct noi dec',
  // Polish, Czech, Slovak, Croatian, Slovene, Hungarian
  'sty lut marca kwi maja cze lip sie wrz paź lis gru',
  'led úno bře dub kvě čvn čvc srp zář říj list pro',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'január február marec apríl máj jún júl august september október november december',
  'sij velj ožu tra svi lip srp kol ruj lis stu pro',
  'január február március április május június július augusztus szeptember október november december',
  // Russian, Ukrainian, Bulgarian, Greek
  'янв фев мар апр мая июн июл авг сен окт ноя дек',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'січ лют бер кві тра чер лип сер вер жов лис гру',
  'януари февруари март април май юни юли август септември октомври ноември декември',
  'ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπ οκτ νοέ δεκ',
  'ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
  // Turkish, Finnish, Estonian, Indonesian
  'oca şub mar nis may haz tem ağu eyl eki kas ara',
  'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu',
  'jaan veebr märts apr mai juuni juuli aug sept okt nov dets',
  'jan feb maret apr mei juni juli agu sep okt nop des',
]

const MONTHS = new Map<string, number>()
for (const list of LISTS) {
  for (const [month, name] of list.split(' ').entries()) {
    for (const spelling of [name, plain(name), plain(name).slice(0, 4)]) {
      // The first list that has a word decides: English before all, "mar" is March in most of Europe.
      if (!MONTHS.has(spelling)) MONTHS.set(spelling, month)
    }
  }
}

/** Lower case, without accents. */
function plain(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
