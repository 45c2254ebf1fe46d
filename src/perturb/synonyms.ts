/**
 * Wordings that do the same work in an instruction: [pattern, replacement]. Each keeps grammar, number and force in
 * every sentence that its pattern admits, hence the context in look-aheads. Changes of modality (must, should),
 * amount, order and domain terms have no place here. `^` is the start of the sentence.
 */
export const SYNONYMS: [RegExp, string][] = [
  [/^answer(?= (?:yes\b|no\b|with\b|in\b|only\b|just\b|using\b|briefly\b))/i, 'reply'],
  [/^answer the(?= (?:following )?questions?\b)/i, 'respond to the'],
  [/^(?:reply|respond)(?= (?:with|in|only|using)\b)/i, 'answer'],
  [/^answer(?= (?:as|truthfully|concisely|honestly)\b)/i, 'respond'],
  [/^give(?= (?:an?|the|your|one|two|three|only)\b)/i, 'provide'],
  [/^provide(?= (?:an?|your|one|two|three|only)\b)/i, 'give'],
  [/^list(?= (?:the|all|every|each|\d|two|three|four|five)\b)/i, 'enumerate'],
  [/^enumerate\b/i, 'list'],
  [/^return(?= (?:only|the|an?|just)\b)/i, 'output'],
  [/^output(?= (?:only|the|an?|just)\b)/i, 'return'],
  [/^summari[sz]e(?= (?:the|this|these|each|what)\b)/i, 'sum up'],
  [/^(?:choose|pick)(?= (?:the|one|an?|exactly|only)\b)/i, 'select'],
  [/^select(?= (?:the|one|an?|exactly|only)\b)/i, 'choose'],
  [/^(?:categori[sz]e)(?= (?:the|this|each|every|an?)\b)/i, 'classify'],
  [/^classify(?= (?:the|this|each|every)\b)/i, 'categorize'],
  [/^rewrite(?= (?:the|this|each)\b)/i, 'reword'],
  [
    /^write(?= (?:an?|the) (?:poem|email|e-mail|letter|essay|story|reply|summary|paragraph|message)\b)/i,
    'compose',
  ],
  [/^begin(?= (?:with|by)\b)/i, 'start'],
  [/^start(?= (?:with|by)\b)/i, 'begin'],
  [/^use(?= (?:the|an?|only|this|these|those|your)\b)/i, 'employ'],
  [/^determine(?= (?:whether|if|which|what)\b)/i, 'decide'],
  [/^decide(?= (?:whether|if|which|what)\b)/i, 'determine'],
  [/^do not include\b/i, 'leave out'],
  [/\b(?<=(?:determine|decide|check|state|say|tell me|know|verify) )whether(?! or\b)/i, 'if'],
  [/\b(?<=(?:determine|decide|check|know|verify) )if(?= (?:the|an?|it|this|each|they|there)\b)/i, 'whether'],
  [/\bensure that\b/i, 'make sure that'],
  [/\bmake sure that\b/i, 'ensure that'],
  [/\bin order to\b/i, 'to'],
  [/\butili[sz]e\b/i, 'use'],
  [/\bif (?:it is )?necessary\b/i, 'if needed'],
  [/\b(?:if|where|when) needed\b/i, 'where necessary'],
  [/\bat least(?= (?:\d|two\b|three\b|four\b|five\b))/i, 'no fewer than'],
  [/\bat most(?= (?:\d|two\b|three\b|four\b|five\b))/i, 'no more than'],
  [/\bno more than(?= (?:\d|two\b|three\b|four\b|five\b))/i, 'at most'],
  [/\bfor each(?= \p{Ll})/iu, 'for every'],
  [/\bfor every(?= \p{Ll})/iu, 'for each'],
  [
    /\bfollowing (text|review|question|sentence|message|ticket|passage|email|statement|article)(?=[:.]?$)/i,
    '$1 below',
  ],
  [
    /\bshort(?= (?:answer|reply|response|summary|sentence|sentences|explanation|description|paragraph|text|note|title|list|email|message)\b)/i,
    'brief',
  ],
  [
    /\bbrief(?= (?:answer|reply|response|summary|explanation|description|paragraph|note|list|message)\b)/i,
    'short',
  ],
  [/\bconcise\b/i, 'succinct'],
  [/\bsuccinct\b/i, 'concise'],
  [/\bcorrect answer\b/i, 'right answer'],
  [/\badditional(?= \p{Ll})/iu, 'further'],
  [/\brelevant(?= \p{Ll})/iu, 'pertinent'],
  [/\bbased on(?= (?:the|this|these|your)\b)/i, 'on the basis of'],
  [/\bprior to\b/i, 'before'],
  [/\bregarding\b/i, 'about'],
  [/\bperson's\b/i, "individual's"],
];

/** Verbs that open an instruction whatever follows them. */
export const IMPERATIVES =
  /^(?:analy[sz]e|classify|categori[sz]e|choose|compare|consider|convert|create|decide|describe|determine|ensure|evaluate|explain|extract|find|follow|generate|give|identify|include|keep|make|paraphrase|pick|prefer|provide|read|remember|reply|respond|rewrite|select|solve|suggest|summari[sz]e|tell|think|translate|verify|write|avoid|imagine|act as)\b(?! of\b|:|-)/i;
/** Verbs that are nouns as well: only what follows tells that an instruction begins. */
export const IMPERATIVES_IN_CONTEXT =
  /^(?:answer|use|return|list|output|name|order|rate|label|report|check|review|format|show|state|add|complete|do not|don't|never)(?= (?:the|an?|any|all|each|every|only|just|exactly|your|this|these|that|them|it|its|one|no|yes|whether|if|how|what|why|which|with|in|as|to|using|use|add|include|explain|mention|write|answer|give|make|repeat|output|return)\b)/i;
