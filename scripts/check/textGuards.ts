/** Rules about the repository's text that no linter knows. Each takes files and returns what is wrong with them. */

/** A tracked file; `text` is null for a binary one. Paths are relative to the repository, with `/`. */
export interface RepositoryFile {
  path: string;
  text: string | null;
}

export interface Fault {
  path: string;
  /** 1-based; null when the fault is the file's name or absence. */
  line: number | null;
  message: string;
}

export type TextGuard = (files: RepositoryFile[]) => Fault[];

const CODE = /\.(ts|tsx|js|mjs|cjs)$/;
const TEST = /\.test\.tsx?$/;

function faultyLines(file: RepositoryFile, pattern: RegExp, message: (match: string) => string): Fault[] {
  return (file.text ?? '').split('\n').flatMap((text, index) => {
    const match = pattern.exec(text)?.[0];
    return match === undefined ? [] : [{ path: file.path, line: index + 1, message: message(match.trim()) }];
  });
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Spelled in parts, so that this file does not contain what it forbids. */
const host = (...labels: string[]) => labels.join('.');
const REGISTRY_HOSTS = [
  host('npmjs', 'org'),
  host('npmjs', 'com'),
  host('yarnpkg', 'com'),
  host('unpkg', 'com'),
  host('jsdelivr', 'net'),
  host('pypi', 'org'),
  host('pythonhosted', 'org'),
  host('repo1', 'maven', 'org'),
  host('repo', 'maven', 'apache', 'org'),
  host('proxy', 'golang', 'org'),
  host('sum', 'golang', 'org'),
  host('crates', 'io'),
  host('rubygems', 'org'),
  host('deb', 'debian', 'org'),
];

/**
 * Which registry a machine uses is its owner's setting, and a mirror's name is nobody's business.
 * @param ownHosts further names: those of the registries that this machine is set up for.
 */
export const registryHosts =
  (ownHosts: string[]): TextGuard =>
  (files) => {
    const pattern = new RegExp(
      `(?<![\\w-])(${[...REGISTRY_HOSTS, ...ownHosts].map(escapeRegExp).join('|')})\\b`,
      'i',
    );
    return files.flatMap((file) =>
      faultyLines(
        file,
        pattern,
        (match) => `names a package registry (${match}): leave that to the machine's settings`,
      ),
    );
  };

/** @param ownFolders folders of this machine: the home folder, the repository's own. */
export const machinePaths =
  (ownFolders: string[]): TextGuard =>
  (files) => {
    const folders = [
      ...['root', 'work'].map((name) => `/${name}`),
      ...ownFolders.filter((folder) => folder.length > 1),
    ];
    const pattern = new RegExp(
      `(?:(?<![\\w.~*/})-])|(?<=file://))(${folders.map(escapeRegExp).join('|')})(?=/)[^\\s'"\`)]*`,
    );
    return files.flatMap((file) =>
      faultyLines(file, pattern, (match) => `holds a path of one machine (${match}): make it relative`),
    );
  };

export const longFiles: TextGuard = (files) =>
  files
    .filter(
      ({ path, text }) => /^(src|webview)\/.*\.tsx?$/.test(path) && (text ?? '').split('\n').length > 401,
    )
    .map(({ path }) => ({
      path,
      line: null,
      message: 'is longer than 400 lines: it is more than one thing',
    }));

/** Fakes serve fault injection, in tests only. */
export const fakesInProduct: TextGuard = (files) =>
  files
    .filter(({ path }) => /^(src|webview)\//.test(path) && CODE.test(path) && !TEST.test(path))
    .flatMap((file) => [
      ...(/fake/i.test(file.path)
        ? [{ path: file.path, line: null, message: 'is a fake: it belongs into a test folder' }]
        : []),
      ...faultyLines(
        file,
        /\bfake[A-Z]\w*|\b\w*[a-z]Fake\w*/,
        (match) => `names a fake (${match}): product code knows none`,
      ),
    ]);

const fileName = /^[a-z][A-Za-z0-9]*(\.(test|bench|config|d))?\.[a-z]+$/;
const componentName = /^[A-Za-z][A-Za-z0-9]*(\.test)?\.(tsx|ts)$/;

export const names: TextGuard = (files) =>
  files
    .filter(({ path }) => /^(src|webview|test|bench|scripts)\//.test(path))
    .flatMap(({ path }) => {
      const segments = path.split('/');
      const vague = segments.find((segment) =>
        /(^|[a-z])(utils?|helpers?)$/i.test(segment.replace(/\..*$/, '')),
      );
      const last = segments.at(-1)!;
      const isCode = /^(src|webview)\/.*\.tsx?$/.test(path);
      const wellNamed = fileName.test(last) || (path.startsWith('webview/') && componentName.test(last));
      return [
        ...(vague === undefined
          ? []
          : [{ path, line: null, message: `'${vague}' says nothing: name it by what it holds` }]),
        ...(isCode && !wellNamed ? [{ path, line: null, message: 'files are named in camelCase' }] : []),
      ];
    });

/** The table of rooms in ARCHITECTURE.md (rows that start with a folder in backticks) lists the rooms that exist. */
export const rooms: TextGuard = (files) => {
  const map = files.find(({ path }) => path === 'ARCHITECTURE.md');
  if (map === undefined) return [{ path: 'ARCHITECTURE.md', line: null, message: 'is missing' }];
  const listed = new Set(
    [...(map.text ?? '').matchAll(/^\| *`(src\/\w+|webview)\/?` *\|/gm)].map((match) => match[1]!),
  );
  const existing = new Set(files.flatMap(({ path }) => /^(src\/\w+|webview)\//.exec(path)?.[1] ?? []));
  const fault = (message: string) => ({ path: map.path, line: null, message });
  return [
    ...[...existing]
      .filter((room) => !listed.has(room))
      .map((room) => fault(`does not list the room ${room}`)),
    ...[...listed]
      .filter((room) => !existing.has(room))
      .map((room) => fault(`lists ${room}, which does not exist`)),
  ];
};
