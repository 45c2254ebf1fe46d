import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { simpleGit } from 'simple-git';
import { isMap, isSeq, parseDocument, type Document } from 'yaml';
import { UserError } from '../../contracts/userError';
import { toPrintable } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { shellQuote } from '../shellQuote';

export type HookAction = 'install' | 'remove' | 'status';

/** Who runs the hooks of a repository, and where evenkeel's part goes. */
interface HookPlace {
  manager: 'git' | 'husky' | 'lefthook' | 'pre-commit';
  file: string;
}

const BEGIN = '# >>> evenkeel >>>';
const END = '# <<< evenkeel <<<';

/**
 * `evenkeel hook install|remove|status`: staged prompts are checked before a commit. What stands in a hook already stays;
 * `remove` takes out exactly what `install` put in. `git commit --no-verify` goes past it, as past every hook.
 */
export async function hook(context: CliContext, action: HookAction): Promise<number> {
  const place = await placeOf(process.cwd());
  const shown = path.relative(process.cwd(), place.file) || place.file;
  const installed = (await readText(place.file)).includes(marks(place));
  const { terminal } = context;
  if (action === 'status') {
    terminal.out(
      toPrintable(
        installed
          ? `Installed in ${shown} (${place.manager}).`
          : `Not installed (${place.manager}: ${shown}).`,
      ),
    );
    return EXIT.policyMet;
  }
  if (action === 'install' && installed) await uninstall(place);
  if (action === 'install') await install(place, context.distDir);
  else if (installed) await uninstall(place);
  terminal.out(
    toPrintable(
      action === 'install'
        ? `Staged prompts are checked before each commit: ${shown} (${place.manager}). Past it once: git commit --no-verify. Away with it: evenkeel hook remove.`
        : installed
          ? `Removed from ${shown}.`
          : `It was not installed in ${shown}.`,
    ),
  );
  return EXIT.policyMet;
}

const marks = ({ manager }: HookPlace) =>
  manager === 'git' || manager === 'husky' ? BEGIN : 'evenkeel check --staged';

/** @throws UserError outside a repository */
async function placeOf(cwd: string): Promise<HookPlace> {
  const git = simpleGit({ baseDir: cwd });
  const root = await git.revparse(['--show-toplevel']).catch(() => {
    throw new UserError('usage', 'This is no git repository.', 'Go to one, then run it again.');
  });
  const at = (...parts: string[]) => path.join(root.trim(), ...parts);
  for (const name of ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml']) {
    if (await exists(at(name))) return { manager: 'lefthook', file: at(name) };
  }
  if (await exists(at('.pre-commit-config.yaml'))) {
    return { manager: 'pre-commit', file: at('.pre-commit-config.yaml') };
  }
  if (await exists(at('.husky'))) return { manager: 'husky', file: at('.husky', 'pre-commit') };
  // Also with core.hooksPath, and in a worktree.
  const hooks = (await git.revparse(['--git-path', 'hooks'])).trim();
  return { manager: 'git', file: path.join(path.resolve(cwd, hooks), 'pre-commit') };
}

async function install(place: HookPlace, distDir: string): Promise<void> {
  const text = await readText(place.file);
  await mkdir(path.dirname(place.file), { recursive: true });
  if (place.manager === 'lefthook') {
    await writeFile(place.file, withLefthook(text));
  } else if (place.manager === 'pre-commit') {
    await writeFile(place.file, withPreCommit(text));
  } else {
    await writeFile(place.file, withBlock(text, place, distDir), { mode: 0o755 });
    await chmod(place.file, 0o755);
  }
}

async function uninstall(place: HookPlace): Promise<void> {
  const text = await readText(place.file);
  if (place.manager === 'lefthook') return writeFile(place.file, withoutLefthook(text));
  if (place.manager === 'pre-commit') return writeFile(place.file, withoutPreCommit(text));
  const left = withoutBlock(text);
  // A hook that was ours alone goes whole.
  if (/^(#![^\n]*)?\s*$/.test(left)) await rm(place.file);
  else await writeFile(place.file, left);
}

/** Before all else that the hook does, so that an `exit` of theirs cannot skip it. */
function withBlock(text: string, { file, manager }: HookPlace, distDir: string): string {
  const [, shebang = '', rest = text] = /^(#![^\n]*\n)?([\s\S]*)$/.exec(text) ?? [];
  if (shebang !== '' && !/\b(ba|da|z|k)?sh\b/.test(shebang)) {
    throw new UserError(
      'usage',
      `${path.basename(file)} is no shell script (${toPrintable(shebang.trim())}).`,
      'Have it call: evenkeel check --staged --hook',
    );
  }
  // husky's files are no programs of their own, and versioned: no path of this machine belongs into them.
  if (manager === 'husky') return `${shebang}${BEGIN}\n${ELSEWHERE}${END}\n${rest}`;
  const first = `evenkeel_node=${shellQuote(process.execPath)}
evenkeel_cli=${shellQuote(path.join(distDir, 'cli.cjs'))}
if [ -x "$evenkeel_node" ] && [ -f "$evenkeel_cli" ]; then
  "$evenkeel_node" "$evenkeel_cli" check --staged --hook || exit $?
el`;
  return `${shebang === '' ? '#!/bin/sh\n' : shebang}${BEGIN}\n${first}${ELSEWHERE}${END}\n${rest}`;
}

/**
 * A graphical git client may start hooks with hardly a PATH: so git's own hook names node and the command line outright, and
 * looks for them only where they are gone.
 */
const ELSEWHERE = `if [ -x node_modules/.bin/evenkeel ]; then
  node_modules/.bin/evenkeel check --staged --hook || exit $?
elif command -v evenkeel >/dev/null 2>&1; then
  evenkeel check --staged --hook || exit $?
else
  echo 'evenkeel is not installed here: staged prompts were not checked (evenkeel hook remove ends this).' >&2
fi
`;

const withoutBlock = (text: string): string =>
  text.replace(new RegExp(`${BEGIN}\\n[\\s\\S]*?${END}\\n?`), '');

const COMMAND = 'evenkeel check --staged --hook';

function withLefthook(text: string): string {
  const doc = readYaml(text);
  doc.setIn(['pre-commit', 'commands', 'evenkeel', 'run'], COMMAND);
  return doc.toString({ lineWidth: 0 });
}

function withoutLefthook(text: string): string {
  const doc = readYaml(text);
  doc.deleteIn(['pre-commit', 'commands', 'evenkeel']);
  for (const place of [['pre-commit', 'commands'], ['pre-commit']]) {
    const node = doc.getIn(place);
    if (isMap(node) && node.items.length === 0) doc.deleteIn(place);
  }
  return doc.toString({ lineWidth: 0 });
}

/** As text, after the last of its repositories, so that the rest of the file stays as somebody wrote it. */
function withPreCommit(text: string): string {
  const repos = readYaml(text).get('repos', true);
  if (!isSeq(repos) || repos.flow === true || !repos.range) {
    throw new UserError(
      'invalidFile',
      'The file of pre-commit has no list of repos, one entry a line.',
      'Add a local hook by hand whose entry is: evenkeel check --staged --hook',
    );
  }
  const [, dash = '  - '] = /^([ \t]*-[ \t]+)\S/m.exec(text.slice(text.indexOf('repos:'))) ?? [];
  const inner = ' '.repeat(dash.length);
  const block = [
    `${dash}repo: local ${OURS}`,
    `${inner}hooks:`,
    `${inner}  - id: evenkeel`,
    `${inner}    name: evenkeel`,
    `${inner}    entry: ${COMMAND}`,
    `${inner}    language: system`,
    `${inner}    pass_filenames: false`,
  ].join('\n');
  const before = text.slice(0, repos.range[1]).trimEnd();
  return `${before}\n${block}\n${text.slice(before.length).replace(/^\n/, '')}`;
}

const OURS = '# evenkeel';

const withoutPreCommit = (text: string): string =>
  text.replace(
    new RegExp(`[ \\t]*-[ \\t]+repo: local ${OURS}\\n(?:[ \\t]+.*\\n){5}[ \\t]+pass_filenames: false\\n`),
    '',
  );

function readYaml(text: string): Document.Parsed {
  const doc = parseDocument(text);
  if (doc.errors.length === 0) return doc;
  throw new UserError('invalidFile', 'The file of the hook manager is not YAML.', 'Correct it first.');
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
const exists = (file: string): Promise<boolean> => stat(file).then(Boolean, () => false);
