/** Word lists of the rule-based mistakes. Small on purpose: a word that could mean two things has no place here. */

/** Opposites, both ways: [a, b]. A word's first pair counts. */
export const ANTONYMS: [string, string][] = [
  ['largest', 'smallest'],
  ['larger', 'smaller'],
  ['biggest', 'smallest'],
  ['highest', 'lowest'],
  ['higher', 'lower'],
  ['longest', 'shortest'],
  ['longer', 'shorter'],
  ['oldest', 'youngest'],
  ['older', 'younger'],
  ['fastest', 'slowest'],
  ['faster', 'slower'],
  ['hottest', 'coldest'],
  ['hotter', 'colder'],
  ['warmer', 'cooler'],
  ['heavier', 'lighter'],
  ['nearest', 'farthest'],
  ['strongest', 'weakest'],
  ['best', 'worst'],
  ['most', 'least'],
  ['maximum', 'minimum'],
  ['before', 'after'],
  ['always', 'never'],
  ['everyone', 'no one'],
  ['increase', 'decrease'],
  ['increases', 'decreases'],
  ['increasing', 'decreasing'],
  ['increased', 'decreased'],
  ['accept', 'reject'],
  ['allowed', 'forbidden'],
  ['include', 'exclude'],
  ['includes', 'excludes'],
  ['correct', 'incorrect'],
  ['possible', 'impossible'],
  ['likely', 'unlikely'],
  ['plausible', 'implausible'],
  ['true', 'false'],
  ['able', 'unable'],
  ['safe', 'dangerous'],
  ['easy', 'difficult'],
  ['necessary', 'unnecessary'],
  ['legal', 'illegal'],
  ['renewable', 'non-renewable'],
  ['large', 'small'],
  ['formal', 'informal'],
  ['common', 'rare'],
  ['similar', 'different'],
  ['short', 'long'],
  ['simple', 'complicated'],
  ['hot', 'cold'],
  ['day', 'night'],
  ['inside', 'outside'],
  ['above', 'below'],
  ['more than', 'less than'],
  ['at least', 'at most'],
  ['with', 'without'],
];
/** Uses that have no opposite; the word stands between ⟦ and ⟧. */
export const NOT_ANTONYM =
  /\bat ⟦best⟧|⟦long⟧ (?:as|enough)\b|\b(?:as|so|how) ⟦long⟧|\bno ⟦(?:more|less) than⟧|⟦most⟧ of\b|⟦day⟧ (?:after|before|by|to)\b|⟦hot⟧ dog|⟦after⟧ (?:a while|all\b)|⟦common⟧ sense|\b(?:along|together|start\w*|begin\w*|agree\w*|deal\w*|compl\w+|associated|concerned|familiar|help\w*|replace\w*) ⟦with⟧|⟦with⟧ (?:respect|regard)/i;

/** Units of one class; each as [one, many, other spellings]. The first two are what is put in. */
export const UNITS: [one: string, many: string, ...others: string[]][][] = [
  [
    ['mile', 'miles'],
    ['kilometer', 'kilometers', 'kilometre', 'kilometres', 'km'],
    ['meter', 'meters', 'metre', 'metres'],
    ['foot', 'feet', 'ft'],
    ['inch', 'inches'],
    ['centimeter', 'centimeters', 'centimetre', 'centimetres', 'cm'],
  ],
  [
    ['pound', 'pounds', 'lb', 'lbs'],
    ['kilogram', 'kilograms', 'kg', 'kilos'],
    ['gram', 'grams'],
    ['ounce', 'ounces', 'oz'],
  ],
  [
    ['second', 'seconds'],
    ['minute', 'minutes'],
    ['hour', 'hours'],
    ['day', 'days'],
    ['week', 'weeks'],
    ['month', 'months'],
    ['year', 'years'],
  ],
  [
    ['degree Celsius', 'degrees Celsius', '°C'],
    ['degree Fahrenheit', 'degrees Fahrenheit', '°F'],
  ],
  [
    ['dollar', 'dollars'],
    ['euro', 'euros'],
    ['cent', 'cents'],
  ],
  [
    ['byte', 'bytes'],
    ['kilobyte', 'kilobytes', 'kB', 'KB'],
    ['megabyte', 'megabytes', 'MB'],
    ['gigabyte', 'gigabytes', 'GB'],
  ],
  [
    ['word', 'words'],
    ['sentence', 'sentences'],
    ['paragraph', 'paragraphs'],
    ['page', 'pages'],
  ],
];
/** Chinese has no plural and no spaces: a unit stands right behind its number. */
export const CHINESE_UNITS: string[][] = [
  ['公里', '英里', '英尺'],
  ['公斤', '磅', '克'],
  ['秒', '分钟', '小时', '天', '周', '个月', '年'],
  ['个字', '句话', '段话', '页'],
];

/** Names of one class may stand for one another; capitals count. */
export const ENTITIES: string[][] = [
  'France Germany Italy Spain Japan China India Brazil Canada Egypt Mexico Russia Norway Sweden Poland Greece Kenya Ireland'.split(
    ' ',
  ),
  'Paris London Berlin Madrid Rome Tokyo Beijing Moscow Cairo Vienna Lisbon Athens Dublin Oslo Toronto Sydney Chicago Boston'.split(
    ' ',
  ),
  ['Europe', 'Asia', 'Africa', 'Antarctica', 'North America', 'South America'],
  'English French German Spanish Italian Japanese Chinese Russian Arabic Portuguese'.split(' '),
  'Venus Mars Jupiter Saturn Uranus Neptune'.split(' '),
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
  'January February April June July September October November December'.split(' '),
  ['Python', 'Java', 'JavaScript', 'TypeScript', 'Ruby', 'Rust', 'Kotlin'],
  ['JSON', 'XML', 'YAML', 'CSV', 'Markdown', 'HTML'],
  'red blue green yellow purple brown black white'.split(' '),
  'dog cat horse rabbit cow sheep bear lion'.split(' '),
  'dogs cats horses rabbits cows bears lions'.split(' '),
  'winter summer autumn'.split(' '),
  'football basketball baseball tennis hockey soccer golf cricket'.split(' '),
  'doctor lawyer teacher engineer farmer'.split(' '),
  'customer employee supplier'.split(' '),
  ['iron', 'copper', 'gold', 'silver', 'wood', 'glass', 'plastic'],
  ['法国', '德国', '日本', '中国', '英国', '俄罗斯', '意大利'],
  ['巴黎', '伦敦', '柏林', '东京', '北京', '上海', '罗马'],
  ['英文', '法文', '德文', '日文', '中文'],
  ['英语', '法语', '德语', '日语', '汉语'],
  ['فرنسا', 'ألمانيا', 'إيطاليا', 'إسبانيا', 'مصر', 'اليابان'],
  ['باريس', 'لندن', 'برلين', 'روما', 'مدريد', 'القاهرة'],
  ['الإنجليزية', 'الفرنسية', 'الألمانية', 'العربية'],
];

export const NUMBER_WORDS =
  'two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million'.split(
    ' ',
  );
