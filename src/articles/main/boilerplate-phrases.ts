/**
 * Boilerplate phrases that newspapers put around their articles, in the most common languages. Form and position find most
 * of it; these find what is inside the text. Only short lines are tested. Compared in lower case and without Unicode
 * properties, because such patterns take tens of milliseconds to compile.
 */

/** A heading of a list of other articles, of comments, of a form. */
export function isBoilerplateHeading(heading: string): boolean {
  const small = heading.toLowerCase()
  return MORE_LINES.test(small) || HEADINGS.test(small)
}

/** A placeholder for embedded content that needs consent. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.test(text.toLowerCase())
}

/** An advertisement label, an invitation, a credit. */
export function isBoilerplateLine(line: string): boolean {
  const small = line.toLowerCase()
  return MORE_LINES.test(small) || WHOLE_LINES.test(small) || BEGINNINGS.test(small)
}

/** A sentence of the publisher about the page. */
export function isNotice(sentence: string): boolean {
  return NOTICES.test(sentence.toLowerCase())
}

/** An invitation to subscribe, to sign in, to share or to agree, anywhere in the text. */
export function isInvitation(sentence: string): boolean {
  const small = sentence.toLowerCase()
  return MAY_INVITE.test(small) && INVITATIONS.test(small)
}

/** Cheap precondition: few sentences contain one of these, and the full pattern takes milliseconds to compile. */
const MAY_INVITE =
  /letter|inbox|mail|subscri|unsub|opt out|sign|log in|regist|member|partner|share|abo|lesen|suscr|apúnt|assine|inscr|iscriv|réserv|meld/

/** LETTER stands for a letter of scripts with spaces between words. */
const either = (...phrases: string[]) => phrases.join('|').replaceAll('LETTER', '[a-z\\u00c0-\\u1fff]')

const MORE = either(
  'related(?: (?:articles?|stories|posts?|news|content|links|topics|reading|products|videos|resources))?',
  'more (?:from|on|in|stories|news|articles|like|coverage)(?!LETTER).*',
  'more (?:great|top|of our|\\S+) (?:\\S+ )?(?:stories|news|articles|posts|reads)',
  'read (?:more|next|also|this)(?!LETTER).*',
  'you (?:may|might) (?:also |be )?.*',
  'also (?:on|read|in)(?!LETTER).*',
  'see also',
  '(?:our )?recommend(?:ed|ations).*',
  'most (?:read|popular|viewed|shared|commented)(?!LETTER).*',
  '(?:popular|trending|latest|recent)(?: (?:now|news|posts?|stories|articles|videos))?',
  'top stories',
  "(?:don't|do not) miss\\b.*",
  'mehr zum thema',
  'weitere (?:artikel|themen|meldungen|nachrichten).*',
  'lesen sie (?:auch|mehr|weiter)(?!LETTER).*',
  'das könnte (?:sie|dich).*',
  'auch interessant',
  'meistgelesen.*',
  '(?:à )?lire (?:aussi|également)(?!LETTER).*',
  'sur le même (?:sujet|thème)',
  'articles? (?:liés|similaires|recommandés)',
  'les? plus lus?.*',
  '(?:leer|lea|lee|te puede|también te puede|le puede) (?:también|además|interesar)(?!LETTER).*',
  '(?:noticias|artículos|notas) relacionad[oa]s',
  'más (?:leídas|noticias|información|sobre)(?!LETTER).*',
  '(?:leia|veja|saiba) (?:também|mais|ainda)(?!LETTER).*',
  '(?:notícias|matérias) relacionadas',
  'leggi anche(?!LETTER).*',
  'potrebbe(?:ro)? interessarti.*',
  'articoli correlati',
  'lees (?:ook|meer|verder)(?!LETTER).*',
  'läs (?:också|mer|även)(?!LETTER).*',
  'les (?:også|mer)(?!LETTER).*',
  'læs også(?!LETTER).*',
  'lue (?:myös|lisää)(?!LETTER).*',
  '(?:czytaj|zobacz|przeczytaj) (?:też|także|również|więcej)(?!LETTER).*',
  '(?:čtěte|přečtěte si|mohlo by vás) .*',
  'citește și(?!LETTER).*',
  '(?:olvassa|kapcsolódó) .*',
  'διαβάστε (?:επίσης|ακόμα)(?!LETTER).*',
  '(?:читайте|смотрите|читай) (?:также|ещё|еще)(?!LETTER).*',
  'по теме',
  'читайте також(?!LETTER).*',
  'ilgili haberler?',
  '(?:baca|simak) juga(?!LETTER).*',
  'xem thêm.*',
  'tin (?:liên quan|cùng chuyên mục)',
  'اقرأ (?:أيض[اً]+|المزيد).*',
  'مواضيع (?:ذات صلة|متعلقة)',
  'بیشتر بخوانید.*',
  'קראו (?:גם|עוד).*',
  'यह भी पढ़ें.*',
  '(?:相关|相關|関連|더 많은|관련)(?:新闻|新聞|阅读|閱讀|文章|記事|ニュース|기사|뉴스)?',
  'あわせて読みたい',
)

const TICKERS = either(
  '(?:live|news|eil)-?\\s?ticker(?!LETTER).*',
  'live (?:updates|feed|blog)',
  '(?:latest|breaking) (?:updates|headlines)',
  '(?:letzte|neueste|aktuelle) (?:meldungen|nachrichten)',
  'en (?:direct|continu)',
  'fil info',
  '(?:último|ultima|última) (?:hora|ora)',
  '(?:últimas|ultime) (?:noticias|notícias|notizie)',
  'minuto a minuto',
  'laatste nieuws',
  'senaste nytt',
  'siste nytt',
  'seneste nyt',
  'z ostatniej chwili',
  'лента новостей',
  'son dakika',
  '(?:up next|next (?:up|story|article|post))(?!LETTER).*',
  'nächster (?:artikel|beitrag)',
  'article suivant',
  'siguiente (?:artículo|noticia)',
  'próxim[ao] (?:artigo|notícia)',
  'prossimo articolo',
)

const OTHER_HEADINGS = either(
  '(?:\\d+ )?comments?(?: \\(?\\d+\\)?)?',
  'leave a (?:comment|reply).*',
  'share(?: this)?(?: article| story| post)?',
  'tags?:?',
  'topics?:?',
  'filed under.*',
  'about (?:the )?authors?',
  '(?:our )?newsletters?',
  'subscribe.*',
  'sign up.*',
  'follow us.*',
  'advertisement',
  'sponsored.*',
  'work with (?:us|me)',
  '(?:contact (?:us|me)|get in touch)(?: (?:today|now|with us))?',
  'kontakt(?:ieren sie uns)?',
  'nous contacter|contactez-nous',
  'kommentare?(?: \\(\\d+\\))?',
  'schlagwörter',
  'commentaires?',
  'comentarios?',
  'comentários?',
  'commenti',
  'комментарии',
  'yorumlar',
  'التعليقات',
  '评论',
  'コメント',
  '댓글',
)

const MORE_LINES = new RegExp(`^(?:${MORE})[\\s:.…!»>]*$`)
const HEADINGS = new RegExp(`^(?:${TICKERS}|${OTHER_HEADINGS})[\\s:.…!»>]*$`)

const WHOLE_LINES = new RegExp(
  `^(?:${either(
    'ads?',
    'advertise?ment',
    'advertising',
    'sponsored(?: content)?',
    'anzeige',
    'werbung',
    'publicité',
    'publicidade?',
    'pubblicità',
    'advertentie',
    'annons',
    'annonse',
    'reklama?',
    'реклама',
    'إعلان',
    '广告',
    '広告',
    '광고',
    'share(?: (?:this|on|via|it)\\b.{0,40})?',
    'teilen',
    'partager',
    'compartir',
    'compartilhar',
    'condividi',
    'поделиться',
    'print(?: this)?(?: article| page| story)?',
    'e?-?mail this.{0,30}',
    'loading\\W*',
    'listen to (?:this|the) (?:article|story).{0,60}',
    'skip (?:advertisement|to .{0,30})',
    'continue reading.{0,60}',
    'this (?:article|story) continues.{0,60}',
    'story continues.{0,60}',
    'all rights reserved',
    'click here',
  )})[\\s:.…!»>]*$`,
)

const BEGINNINGS = new RegExp(
  `^(?:${either(
    '(?:read|see|watch|listen|also read|related|more|photos?|images?|pictures?|credits?|source|via|tags?|topics?)(?: (?:more|also|here|credits?|by|courtesy))?\\s?:',
    '(?:photo|image|picture|video) (?:credit|by|via|courtesy)\\b',
    'filed under\\b',
    'posted (?:in|by|on)\\b',
    '(?:first |originally )?published\\b',
    '(?:last )?(?:updated|modified)\\b(?! to\\b)',
    'follow (?:us|@)',
    'like us on\\b',
    '(?:sign up|subscribe)\\b',
    'leave a (?:comment|reply)\\b',
    '\\d+ comments?\\b',
    'please enable\\b',
    'this (?:site|website) uses\\b',
    'we use cookies\\b',
    '©|\\(c\\) |copyright\\b',
    '(?:foto|bild|quelle|crédit|crédits|source|fonte|fuente|fotó|фото|источник|zdroj|źródło|kuva|kilde|kaynak|φωτογραφία|صورة|المصدر|来源|來源|图|圖|写真|출처|사진)\\s?[:：]',
  )})`,
)

const NOTICES = new RegExp(
  either(
    '^this (?:article|story|post|page) (?:is more than|was (?:first |originally )?published|is part of)\\b',
    '\\b(?:earns?|receive) (?:a |an )?(?:small )?(?:affiliate )?commissions?\\b',
    '\\baffiliate (?:links?|commissions?)\\b',
    '\\bindependently (?:reviewed?|selected|tests?|chosen?)\\b',
    '\\b(?:delivered|straight).{0,40} your (?:inbox|letterbox|mailbox|door|doorstep)\\b',
    '\\b(?:is|are) (?:a )?reader-supported\\b',
    '^(?:legal |medical )?disclaimer\\s?:',
    '\\bnot (?:a substitute for|intended as) (?:professional )?(?:medical|legal|financial|investment) advice\\b',
    '\\bmay (?:be|get) compensated\\b',
    '\\bsubject to copyright\\b',
    '\\b(?:may|can) be (?:reached|contacted) at\\b',
    '\\bfollow (?:her|him|us|me|them|@\\S+) (?:on|at)\\b',
    '^(?:e-?mail|contact) .{2,40} at \\S+@',
    '\\bsign up (?:for|to) (?:our|the|my) .{0,40}newsletter',
    '\\b(?:folgen sie|folge) (?:uns|mir|ihm|ihr)\\b.{0,20} (?:auf|bei)\\b',
    '\\bnewsletter (?:abonnieren|bestellen|anmelden)\\b',
    '\\bsuivez-(?:nous|moi)\\b',
    '\\b(?:síguenos|sígueme|siga-nos|seguici)\\b',
    '\\b(?:abonnez-vous|inscrivez-vous|suscríbete|iscriviti|assine) .{0,40}newsletter',
    '\\b(?:affiliate|partner)-links?\\b',
    'liens? (?:affiliés?|d.affiliation)',
    'enlaces? de afiliados?',
    'link di affiliazione',
  ),
)

const INVITATIONS = new RegExp(
  `^(?:${either(
    '(?:please )?(?:sign up|subscribe|register)(?: (?:now|today|here|free))? (?:to|for) (?:our|the|my|this) .{0,60}(?:newsletter|mailing list|channel|podcast|updates|briefing)',
    '(?:get|receive) .{0,80}(?:(?:delivered|sent|straight|direct(?:ly)?) .{0,30}to your (?:e-?mail|inbox)|in your inbox)',
    '(?:enter|type|add) your e-?mail(?: address)?(?!LETTER)',
    'by (?:signing up|subscribing|registering|entering your e-?mail|clicking .{2,30}|providing .{2,40}),? you (?:agree|accept|consent|confirm|acknowledge)',
    'you can (?:unsubscribe|opt out) at any time',
    '(?:already (?:a |an )?(?:subscriber|subscribed|registered|member|have an account)|not a (?:subscriber|member)(?: yet)?)\\?',
    '(?:subscribe|log in|sign in|register) to (?:continue|keep) reading',
    '(?:to continue|continue) reading(?: this (?:article|story))?,? (?:please )?(?:subscribe|log in|sign in|register)',
    'this (?:article|story|content) is (?:only |exclusively )?(?:for|available to|reserved for) (?:our )?(?:subscribers|members)',
    '(?:we and our|with your consent,? we and our) (?:\\d+ )?partners',
    '(?:click|tap) (?:here )?to share (?:on|this)(?!LETTER)',
    'share (?:this|the) (?:article|story|post|page)(?: (?:on|with|via)(?!LETTER).*)?$',
    '(?:melden sie sich|melde dich|jetzt) .{0,60}newsletter .{0,20}(?:an|anmelden|abonnieren)(?!LETTER)',
    '(?:abonnieren sie|abonniere|abonnier) (?:jetzt |hier )?(?:unseren|den|unser|meinen) .{0,40}(?:newsletter|kanal|podcast)',
    'mit (?:der|ihrer|deiner) (?:anmeldung|registrierung) (?:stimm|akzeptier|erklär|willig)',
    'sie (?:haben|sind) (?:bereits|schon) (?:ein abo|abonnent|registriert|ein (?:benutzer)?konto)',
    '(?:weiterlesen|jetzt weiterlesen|lesen sie weiter) mit (?!LETTER)?.{0,30}(?:abo|plus|\\+)',
    'dieser (?:artikel|inhalt) ist (?:nur |exklusiv )?für abonnent',
    '(?:inscrivez-vous|abonnez-vous) (?:à|pour recevoir) (?:notre|la|nos|cette) .{0,40}(?:newsletter|lettre|chaîne)',
    '(?:cet article est|article|contenu) réservé (?:à nos|aux) abonnés',
    '(?:vous êtes )?déjà abonné',
    '(?:suscríbete|suscríbase|apúntate) (?:a|al|aquí|gratis)(?!LETTER).{0,60}(?:newsletter|boletín|canal)',
    '(?:este|esta) (?:contenido|artículo|noticia) es (?:exclusiv[oa] )?para suscriptores',
    '(?:assine|inscreva-se) (?:a|o|na|no|em)(?!LETTER).{0,60}(?:newsletter|canal)',
    'iscriviti (?:alla|al) .{0,40}(?:newsletter|canale)',
    '(?:schrijf je in|meld je aan) voor .{0,40}nieuwsbrief',
  )})`,
)

const PLACEHOLDERS = new RegExp(
  `^(?:${either(
    '(?:recommended )?(?:external|third[- ]party) content(?!LETTER)',
    'this (?:content|video|element|embed|post|tweet|map) (?:is|was) (?:hosted|provided|blocked|not (?:available|displayed)|hidden|from (?:an )?external)',
    '(?:to|in order to) (?:view|see|watch|show|display|load) (?:this|the) (?:\\S+ )?(?:content|video|post|tweet|map|embed|element)',
    '(?:by|when) (?:loading|clicking|playing|viewing|watching)(?!LETTER).{0,60}(?:you|your)(?!LETTER).{0,40}(?:accept|agree|consent|data)',
    'click (?:here )?to (?:load|view|activate|show|display|accept)(?!LETTER)',
    'allow .{2,30} content\\?',
    'this article contains content (?:provided|from)',
    '(?:load|show|view|display) (?:external )?(?:content|video|post|tweet|map)$',
    '(?:empfohlener )?(?:externer|redaktioneller) inhalt',
    '(?:empfohlener|hier finden sie einen?) (?:externe[rn]?|redaktionelle[rn]?) inhalte?',
    'an dieser stelle (?:finden sie|befindet sich|steht|ist|wird|möchten wir)(?!LETTER).{0,80}(?:inhalt|video|beitrag|karte|grafik|post|tweet)',
    'mit dem (?:laden|aufruf|abspielen|klick)(?!LETTER).{0,120}(?:akzeptier|einverstanden|zustimm|stimm|übermittelt|daten)',
    '(?:durch|mit) (?:das|einem|einen) (?:laden|klick)(?!LETTER).{0,120}(?:akzeptier|einverstanden|zustimm|stimm|übermittelt|daten)',
    'ich bin (?:damit )?einverstanden, dass mir',
    'damit (?:können|werden) personenbezogene daten',
    'dieses? (?:element|inhalt|video|karte) (?:beinhaltet|enthält|stammt|wird|kann)(?!LETTER).{0,80}(?:daten|extern|cookies|geladen|angezeigt|datenschutz)',
    '(?:um|zum) .{0,60}(?:anzeigen|anzusehen|anschauen|laden|anzuzeigen|sehen)(?!LETTER).{0,60}(?:einwilligung|zustimm|cookies|aktivieren|akzeptier)',
    '(?:inhalt(?:e)?|video|karte|beitrag|tweet|post)s? (?:von \\S{1,30} )?(?:laden|anzeigen|entsperren|akzeptieren)$',
    '(?:klicken sie|hier klicken)(?!LETTER).{0,80}(?:inhalt|laden|anzu(?:zeigen|sehen))',
    'contenus? (?:externe|tiers|bloqué)',
    'ce (?:contenu|média|tweet) (?:est (?:bloqué|hébergé|fourni)|n.est pas|provient|peut déposer)',
    'pour (?:voir|afficher|visualiser|consulter|accéder à) (?:ce|cette|le) (?:contenu|vidéo|média|post)',
    'en (?:cliquant|affichant|chargeant)(?!LETTER).{0,120}(?:cookies|accept|données|consent)',
    'contenido externo|conteúdo externo|contenuto esterno|externe inhoud|eksternt? in[dn]hold|externt innehåll|treść zewnętrzna',
    'para (?:ver|visualizar|mostrar) (?:este|el|o|esta) (?:contenido|conteúdo|vídeo|video|tuit)',
    'este (?:contenido|conteúdo) (?:está|es|é) (?:bloqueado|alojado|proporcionado|fornecido)',
    'per (?:vedere|visualizzare|guardare) (?:questo|il) (?:contenuto|video)',
    'questo contenuto (?:è|non)',
    'om (?:deze|dit|dezelfde) (?:inhoud|content|video|bericht)(?!LETTER).{0,60}(?:cookies|toestemming|accept)',
    '(?:deze|dit) (?:inhoud|content|video|element) (?:kan niet|is (?:geblokkeerd|niet))',
    'för att (?:se|visa|ta del av) (?:det här |innehållet|denna)',
    'aby (?:zobaczyć|wyświetlić|obejrzeć) t[ęeo]',
    'для просмотра (?:этого )?(?:видео|контента|содержимого)',
  )})`,
)
