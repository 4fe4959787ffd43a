/**
 * The categories, and the words by which publishers name them, in the languages of most news. Spaces within a phrase are
 * written "_". Ambiguous words ("nature", a magazine; "style", a guide) are left out: uncategorized is better than the wrong
 * category.
 */
import type { UNCATEGORIZED } from '../../model/index.ts'
export const CATEGORIES = [
  'world',
  'politics',
  'business',
  'technology',
  'science',
  'health',
  'sports',
  'entertainment',
  'culture',
  'education',
  'environment',
  'lifestyle',
  'opinion',
  'crime',
  'local',
] as const

export type NewsCategory = (typeof CATEGORIES)[number] | typeof UNCATEGORIZED

export const WORDS: Readonly<Record<(typeof CATEGORIES)[number], string>> = {
  world: `world world_news international internationals global foreign abroad asia europe africa americas middle_east
    latin_america asia_pacific overseas weltnachrichten ausland welt monde internationale étranger mundo internacional
    internacionales exterior mondo esteri internazionale buitenland wereld världen utrikes utlandet verden udland
    utenriks ulkomaat maailma zagranica świat zahraničí svět zahraničie külföld világ externe международно свят мир
    в_мире за_рубежом світ у_світі свијет svijet κόσμος διεθνή dünya العالم دولي عالم عربي_ودولي جهان بین_الملل בעולם
    עולם दुनिया विदेश विश्व dunia internasional luar_negeri thế_giới ต่างประเทศ โลก 国际 國際 国際 世界 海外 국제 세계`,
  politics: `politics politic political government elections election parliament congress white_house westminster
    policy politik innenpolitik bundestag wahlen politique gouvernement política elecciones eleições gobierno governo
    elezioni politiek verkiezingen politikk politiikka vaalit polityka wybory politika volby belpolitika választás
    alegeri политика выборы власть політика вибори избори πολιτική εκλογές siyaset politika_haberleri سياسة السياسة
    سیاست سیاسی פוליטיקה राजनीति चुनाव politik_nasional chính_trị การเมือง 政治 时政 選挙 정치 선거`,
  business: `business economy economics economic finance financial finances markets market money stocks investing
    companies banking real_estate personal_finance wall_street entrepreneurship startups wirtschaft finanzen börse
    unternehmen économie entreprises bourse argent économique economía finanzas negocios empresas mercados finanza
    affari imprese mercati mercado finanças dinheiro financieel beurs geld ekonomi näringsliv pengar børs erhverv
    økonomi næringsliv talous raha gospodarka biznes finanse pieniądze ekonomika byznys finance_a_burza ekonomija
    gazdaság üzlet pénzügy economie_si_finante afaceri бизнес икономика экономика финансы деньги економіка фінанси
    бізнес οικονομία επιχειρήσεις iş_dünyası اقتصاد أعمال مال_وأعمال اقتصادی כלכלה עסקים व्यापार कारोबार अर्थव्यवस्था
    bisnis ekonomi_bisnis keuangan kinh_doanh kinh_tế tài_chính เศรษฐกิจ ธุรกิจ 经济 經濟 経済 财经 財經 商业 ビジネス 金融 경제 금융`,
  technology: `technology technologies tech it computers computing software hardware internet gadgets gadget mobile
    smartphones programming developer developers cybersecurity information_technology artificial_intelligence ai apps
    web_development open_source linux technik digital digitales netzwelt netz technologie high_tech numérique
    informatique tecnología informática tecnologie teknik teknologi tech_digital teknologia technologia technologie_it
    technologie_a_média tehnologija technika tehnologie технологии интернет технології технологии_и_наука τεχνολογία
    teknoloji تكنولوجيا تقنية فناوری טכנולוגיה तकनीक टेक्नोलॉजी प्रौद्योगिकी teknologi_informasi tekno công_nghệ
    เทคโนโลยี ไอที 科技 技术 テクノロジー 技術 기술 과학기술 테크`,
  science: `science sciences scientific research space astronomy physics biology chemistry archaeology mathematics
    natural_sciences wissenschaft wissen forschung weltraum espace ciencia ciencias espacio scienza scienze spazio
    wetenschap ruimtevaart vetenskap rymden videnskab viden forskning vitenskap tiede avaruus nauka kosmos věda
    znanost tudomány știință наука космос επιστήμη bilim علوم علم_وفضاء دانش علمی מדע विज्ञान sains khoa_học
    วิทยาศาสตร์ 科学 科學 サイエンス 宇宙 과학`,
  health: `health healthcare health_care medicine medical wellness fitness nutrition mental_health coronavirus covid
    covid_19 gesundheit medizin santé médecine salud bienestar salute benessere medicina saúde bem_estar gezondheid
    hälsa sundhed helse terveys hyvinvointi zdrowie medycyna zdraví zdravie zdravje zdravlje egészség sănătate здраве
    здоровье медицина здоров'я υγεία sağlık صحة الصحة سلامت בריאות स्वास्थ्य सेहत kesehatan sức_khỏe y_tế สุขภาพ 健康 医疗
    医療 건강 의료`,
  sports: `sports sport football soccer basketball baseball tennis golf cricket rugby hockey olympics motorsport
    formula_1 f1 nfl nba mlb nhl nascar boxing mma cycling athletics swimming skiing premier_league champions_league
    fußball fussball bundesliga handball wintersport radsport olympia eishockey sports_foot foot rugby_à_xv cyclisme
    deportes deporte fútbol baloncesto calcio sportivo pallavolo desporto desportos esporte esportes futebol voetbal
    wielrennen schaatsen fotboll ishockey fodbold håndbold fotball urheilu jääkiekko jalkapallo piłka_nożna siatkówka
    fotbal hokej športové nogomet foci labdarúgás спорт футбол хоккей теннис αθλητικά σπορ ποδόσφαιρο spor رياضة
    كرة_القدم كرة_قدم ورزش ورزشی ספורט כדורגל खेल क्रिकेट olahraga sepak_bola bola thể_thao bóng_đá กีฬา ฟุตบอล 体育 體育
    足球 スポーツ 野球 サッカー 스포츠 축구 야구 olympic_games olympic`,
  entertainment: `entertainment celebrity celebrities movies movie film films television tv tv_shows music gossip
    showbiz show_business hollywood bollywood video_games gaming games comedy anime comics unterhaltung promis kino
    musik fernsehen divertissement cinéma musique jeux_vidéo entretenimiento espectáculos cine música famosos
    videojuegos spettacoli spettacolo televisione intrattenimento entretenimento famosos_e_tv televisão
    entertainment_nieuws showbizz muziek films_en_series nöje film_och_tv underholdning kendte film_og_tv viihde
    elokuvat musiikki rozrywka muzyka gwiazdy zábava hudba szórakozás divertisment monden развлечения шоубизнес кино
    музыка шоу_бизнес розваги ψυχαγωγία σινεμά μουσική eğlence magazin sinema müzik ترفيه فن فنون_ومشاهير مشاهير
    سرگرمی سینما בידור मनोरंजन बॉलीवुड hiburan selebriti selebritas giải_trí บันเทิง 娱乐 娛樂 芸能 エンタメ 映画 音楽 연예 영화 음악 게임
    video_game`,
  culture: `culture arts art books literature theatre theater museums museum history philosophy religion architecture
    design photography poetry heritage arts_and_culture kultur feuilleton bücher literatur kunst theater_und_tanz
    geschichte livres littérature histoire arts_et_spectacles cultura arte artes libros literatura teatro historia
    libri storia livros cultuur boeken kunst_en_cultuur böcker konst bøger kultur_og_kunst bøker kulttuuri kirjat
    taide kultura książki sztuka umění knihy könyv kultura_i_sztuka carte култура книги культура искусство литература
    история мистецтво πολιτισμός τέχνες βιβλίο sanat kültür_sanat ثقافة ثقافة_وفنون فرهنگ فرهنگی هنر תרבות ספרים
    संस्कृति साहित्य धर्म budaya seni văn_hóa วัฒนธรรม 文化 艺术 藝術 読書 歴史 문화 예술`,
  education: `education school schools university universities students teaching higher_education bildung schule
    hochschule studium enseignement école educación universidad istruzione scuola università educação ensino onderwijs
    utbildning skola uddannelse utdanning koulutus edukacja oświata szkoła vzdělávání školství obrazovanje oktatás
    educație образование школа освіта παιδεία εκπαίδευση eğitim تعليم التعليم آموزش חינוך शिक्षा pendidikan giáo_dục
    การศึกษา 教育 교육`,
  environment: `environment climate climate_change global_warming wildlife weather sustainability animals conservation
    renewable_energy umwelt klima klimawandel wetter environnement climat planète météo medio_ambiente medioambiente
    clima ambiente meio_ambiente ambiente_e_clima milieu klimaat weer miljö väder klima_og_miljø vejr vær ympäristö
    sää ilmasto środowisko ekologia pogoda životní_prostředí počasí okoliš környezet időjárás mediu vreme_si_mediu
    околна_среда экология погода климат довкілля екологія περιβάλλον καιρός çevre hava_durumu بيئة مناخ طقس محیط_زیست
    סביבה पर्यावरण मौसम lingkungan môi_trường thời_tiết สิ่งแวดล้อม 环境 環境 天气 気象 환경 날씨`,
  lifestyle: `lifestyle life living life_and_style travel food food_and_drink recipes cooking fashion beauty
    home_and_garden garden gardening family parenting relationships cars autos automotive pets hobbies shopping
    health_and_beauty reisen reise leben essen mode auto familie garten rezepte gesellschaft_und_leben style_de_vie
    cuisine voyage voyages recettes gastronomie vie_pratique estilo_de_vida viajes cocina moda coches motor
    gastronomía recetas viaggi cucina motori estilo viagens viagem receitas automóveis leven reizen eten koken auto's
    wonen livsstil resor mat bilar rejser mad bolig bil reise_og_ferie elämäntyyli matkailu ruoka autot styl_życia
    podróże kuchnia motoryzacja cestování vaření recepty životní_styl utazás életmód călătorii стил пътувания
    стиль_жизни путешествия еда авто подорожі ταξίδια γαστρονομία αυτοκίνητο yaşam seyahat yemek otomobil
    moda_ve_yaşam سفر طبخ موضة أسلوب_حياة منوعات سبک_زندگی אוכל תיירות אופנה लाइफस्टाइल यात्रा खाना gaya_hidup kuliner
    wisata otomotif du_lịch ẩm_thực đời_sống ท่องเที่ยว อาหาร 旅游 旅遊 美食 汽车 時尚 ライフ グルメ 旅行 여행 생활 라이프`,
  opinion: `opinion opinions editorial editorials column columns columnists comment commentary letters op_ed analysis
    viewpoint meinung kommentar kommentare leitartikel gastbeitrag opinion_et_débats opinions_et_débats tribune
    tribunes chroniques débats columnas opinioni editoriali commenti opinião colunas crônicas mening opinie
    columns_en_opinie åsikter debatt ledare holdning debat meninger mielipide pääkirjoitus opinie_i_komentarze
    komentarze publicystyka komentáře názory kolumne mišljenje vélemény publicisztika opinii мнение мнения анализи
    колонки думка погляди γνώμες άποψη απόψεις köşe_yazıları yorum رأي آراء مقالات یادداشت דעות विचार संपादकीय opini
    góc_nhìn ý_kiến ความคิดเห็น 评论 社論 觀點 观点 社説 オピニオン 오피니언 사설`,
  crime: `crime court courts law police justice legal accidents kriminalität justiz polizei blaulicht faits_divers
    justice_et_police police_et_justice sucesos tribunales cronaca_nera giustizia crimen polícia justiça policial
    misdaad politie brott krim krimi_og_politi rikos rikokset kryminalne przestępczość krimi soudy crna_kronika bűnügy
    криминал происшествия криминални кримінал αστυνομικά asayiş üçüncü_sayfa حوادث الحوادث حوادث_ومحاكم פלילים अपराध
    kriminal hukum pháp_luật อาชญากรรม 法治 社会事件 事件 事件_事故 사건 사건사고`,
  local: `local local_news regional region metro city_news community state_news lokales regionales lokal nachbarschaft
    aus_der_region régions locale local_et_région locales comunidad regionali cronaca cronaca_locale cidades regionaal
    lokaal lokalt lokalnytt lokale_nyheder paikalliset kotiseutu lokalne regiony regionální lokalno helyi
    regional_stiri местни регионы регіони τοπικά yerel yerel_haberler محليات محلي استان_ها מקומי शहर राज्य daerah
    địa_phương ภูมิภาค 本地 地方 地域 지역 cities`,
}
