/**
 * What package.json contributes, as constants. package.json is written by hand; manifest.test.ts proves that both are equal.
 * No import of `vscode`: this file is read by tests and by activation.
 */

export const EXTENSION_ID = 'evenkeel.evenkeel';
export const REPORT_VIEW = 'evenkeel.report';

/** What VS Code keeps for a workspace. Activation looks at the first, so that a check that was cut off is offered again. */
export const UNFINISHED_MEMORY = 'evenkeel.unfinished';
export const VARIABLES_MEMORY = 'evenkeel.variables';

/** Names of files that are a prompt as a whole; the menus of package.json know the same. */
export const PROMPT_FILES =
  /(?:\.(?:prompt|prompty|prompt\.(?:md|txt|ya?ml)|agent\.md|instructions\.md)|(?:^|\/)(?:SKILL|AGENTS|CLAUDE)\.md)$/;

/** The same for the files of a workspace. */
export const PROMPT_GLOB =
  '**/{*.prompt,*.prompty,*.prompt.md,*.prompt.txt,*.prompt.yml,*.prompt.yaml,*.agent.md,*.instructions.md,SKILL.md,AGENTS.md,CLAUDE.md}';

export const TEST_CONTROLLER = { id: 'evenkeel.prompts', label: 'Evenkeel: prompts' } as const;
/** Tools for agents (compose/agentTools.ts). */
export const LANGUAGE_TOOLS = [
  'evenkeel_check_prompt',
  'evenkeel_compare_edit',
  'evenkeel_list_flip_prone',
] as const;
export const WALKTHROUGH = 'evenkeel.start';

/** Every command with its title in the palette. */
export const COMMANDS = {
  checkRobustness: { id: 'evenkeel.checkRobustness', title: 'Check Prompt Robustness' },
  checkEdit: { id: 'evenkeel.checkEdit', title: 'Check Edit Against HEAD' },
  checkStaged: { id: 'evenkeel.checkStaged', title: 'Check Staged Prompts' },
  pauseRun: { id: 'evenkeel.pauseRun', title: 'Pause Run' },
  resumeRun: { id: 'evenkeel.resumeRun', title: 'Resume Run' },
  compareModels: { id: 'evenkeel.compareModels', title: 'Compare Models on This Prompt' },
  cancelRun: { id: 'evenkeel.cancelRun', title: 'Cancel Run' },
  openLastReport: { id: 'evenkeel.openLastReport', title: 'Open Last Report' },
  showHistory: { id: 'evenkeel.showHistory', title: 'Show History' },
  exportReport: { id: 'evenkeel.exportReport', title: 'Export Report' },
  openSampleReport: { id: 'evenkeel.openSampleReport', title: 'Open Sample Report' },
  openSamplePrompt: { id: 'evenkeel.openSamplePrompt', title: 'Open Sample Prompt' },
  reviewPerturbations: { id: 'evenkeel.reviewPerturbations', title: 'Review Perturbations' },
  runFlips: { id: 'evenkeel.runFlips', title: 'Run Flips on This Set' },
  clearFindings: { id: 'evenkeel.clearFindings', title: 'Clear Findings' },
  selectModel: { id: 'evenkeel.selectModel', title: 'Select Model' },
  addEndpoint: { id: 'evenkeel.addEndpoint', title: 'Add Server' },
  editVariables: { id: 'evenkeel.editVariables', title: 'Edit Remembered Variables' },
  setApiKey: { id: 'evenkeel.setApiKey', title: 'Set API Key' },
  clearApiKey: { id: 'evenkeel.clearApiKey', title: 'Clear API Key' },
  explainWords: { id: 'evenkeel.explainWords', title: 'What the Words Mean' },
  showLog: { id: 'evenkeel.showLog', title: 'Show Log' },
  doctor: { id: 'evenkeel.doctor', title: 'Doctor' },
} as const;
export type CommandName = keyof typeof COMMANDS;

/** Of a finding's quick fixes and hover. Not contributed: without a finding they could do nothing. */
export const FINDING_COMMANDS = {
  showAnswers: {
    id: 'evenkeel.finding.showAnswers',
    title: 'Show the answers behind this',
    link: 'All answers',
    icon: 'list-unordered',
  },
  checkAgain: {
    id: 'evenkeel.finding.checkAgain',
    title: 'Check this sentence again',
    link: 'Check this sentence again',
    icon: 'refresh',
  },
  silence: {
    id: 'evenkeel.finding.silence',
    title: 'Silence this finding here',
    link: 'Silence here',
    icon: 'bell-slash',
  },
  explain: {
    id: 'evenkeel.finding.explain',
    title: 'Explain these figures',
    link: 'Explain',
    icon: 'question',
  },
} as const;

export const CONTEXT_KEYS = {
  /** A check is running. */
  running: 'evenkeel.running',
  /** A check waits to go on. */
  paused: 'evenkeel.paused',
  /** At least one finding is underlined. */
  hasFindings: 'evenkeel.hasFindings',
} as const;

/** Settings with their defaults. `connects`: it decides where a prompt is sent or what may be spent, so a workspace needs trust to set it. */
export const SETTINGS = {
  model: { key: 'evenkeel.model', default: 'local:qwen2.5-coder-0.5b', connects: true },
  judge: { key: 'evenkeel.judge', default: '', connects: true },
  writer: { key: 'evenkeel.writer', default: '', connects: true },
  samples: { key: 'evenkeel.samples', default: 20, connects: false },
  answerTokens: { key: 'evenkeel.answerTokens', default: 32, connects: false },
  perturbations: { key: 'evenkeel.perturbations', default: 10, connects: false },
  seed: { key: 'evenkeel.seed', default: 1, connects: false },
  ollamaUrl: { key: 'evenkeel.ollama.url', default: 'http://127.0.0.1:11434', connects: true },
  continuousAnyModel: { key: 'evenkeel.continuousRun.anyModel', default: false, connects: true },
  useCache: { key: 'evenkeel.useCache', default: true, connects: false },
  endpoints: { key: 'evenkeel.endpoints', default: [], connects: true },
  /** 0: what suits the server, up to the bound of its kind. */
  concurrency: { key: 'evenkeel.servers.concurrency', default: 0, connects: false },
  timeout: { key: 'evenkeel.servers.timeout', default: 900, connects: false },
  firstTokenTimeout: { key: 'evenkeel.servers.firstTokenTimeout', default: 120, connects: false },
  /** 0: no cap. */
  maxCalls: { key: 'evenkeel.budget.maxCalls', default: 0, connects: true },
  maxTokens: { key: 'evenkeel.budget.maxTokens', default: 0, connects: true },
  maxCost: { key: 'evenkeel.budget.maxCost', default: 0, connects: true },
  maxSeconds: { key: 'evenkeel.budget.maxSeconds', default: 0, connects: true },
  /** Megabytes. */
  cacheMaxSize: { key: 'evenkeel.cache.maxSize', default: 2_000, connects: false },
  codeLens: { key: 'evenkeel.codeLens', default: true, connects: false },
} as const;

/** Documents in which prompts are looked for. Each language is an activation event; a notebook's cells have languages too. */
const PROMPT_LANGUAGES = [
  'prompt',
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
  'python',
  'yaml',
] as const;
/** Whole files by their names, whatever language VS Code takes them for. */
export const PROMPT_DOCUMENTS = [
  ...PROMPT_LANGUAGES.map((language) => ({ language })),
  { pattern: '**/*.{prompt,prompty,prompt.md,prompt.txt,agent.md,instructions.md}' },
  { pattern: '**/{SKILL,AGENTS,CLAUDE}.md' },
];
