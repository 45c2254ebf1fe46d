/**
 * What package.json contributes, as constants. package.json is written by hand; manifest.test.ts proves that both are equal.
 * No import of `vscode`: this file is read by tests and by activation.
 */

export const EXTENSION_ID = 'evenkeel.evenkeel';
export const REPORT_VIEW = 'evenkeel.report';

/** Every command with its title in the palette. */
export const COMMANDS = {
  checkRobustness: { id: 'evenkeel.checkRobustness', title: 'Check Prompt Robustness' },
  checkEdit: { id: 'evenkeel.checkEdit', title: 'Check Edit Against HEAD' },
  cancelRun: { id: 'evenkeel.cancelRun', title: 'Cancel Run' },
  openLastReport: { id: 'evenkeel.openLastReport', title: 'Open Last Report' },
  reviewPerturbations: { id: 'evenkeel.reviewPerturbations', title: 'Review Perturbations' },
  runFlips: { id: 'evenkeel.runFlips', title: 'Run Flips on This Set' },
  clearFindings: { id: 'evenkeel.clearFindings', title: 'Clear Findings' },
  selectModel: { id: 'evenkeel.selectModel', title: 'Select Model' },
  setApiKey: { id: 'evenkeel.setApiKey', title: 'Set API Key' },
  clearApiKey: { id: 'evenkeel.clearApiKey', title: 'Clear API Key' },
  doctor: { id: 'evenkeel.doctor', title: 'Doctor' },
} as const;
export type CommandName = keyof typeof COMMANDS;

export const CONTEXT_KEYS = {
  /** A check is running. */
  running: 'evenkeel.running',
  /** At least one finding is underlined. */
  hasFindings: 'evenkeel.hasFindings',
} as const;

/** Settings with their defaults. `connects`: it decides where a prompt is sent, so a workspace needs trust to set it. */
export const SETTINGS = {
  model: { key: 'evenkeel.model', default: 'local:qwen2.5-coder-0.5b', connects: true },
  judge: { key: 'evenkeel.judge', default: '', connects: true },
  writer: { key: 'evenkeel.writer', default: '', connects: true },
  samples: { key: 'evenkeel.samples', default: 20, connects: false },
  answerTokens: { key: 'evenkeel.answerTokens', default: 32, connects: false },
  perturbations: { key: 'evenkeel.perturbations', default: 10, connects: false },
  seed: { key: 'evenkeel.seed', default: 1, connects: false },
  ollamaUrl: { key: 'evenkeel.ollama.url', default: 'http://127.0.0.1:11434', connects: true },
  useCache: { key: 'evenkeel.useCache', default: true, connects: false },
  endpoints: { key: 'evenkeel.endpoints', default: [], connects: true },
  /** 0: what suits the server, up to the bound of its kind. */
  concurrency: { key: 'evenkeel.servers.concurrency', default: 0, connects: false },
  timeout: { key: 'evenkeel.servers.timeout', default: 900, connects: false },
  firstTokenTimeout: { key: 'evenkeel.servers.firstTokenTimeout', default: 120, connects: false },
  codeLens: { key: 'evenkeel.codeLens', default: true, connects: false },
} as const;

/** Documents in which prompts are looked for. Each language is an activation event; a notebook's cells have languages too. */
export const PROMPT_LANGUAGES = [
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
