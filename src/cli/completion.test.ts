import { spawnSync } from 'node:child_process';
import { Argument, Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { completionScript } from './completion';

const program = new Command('evenkeel').option('--quiet', 'no progress');
program
  .command('robustness')
  .description("a prompt's answers")
  .option('--samples <n>', 'answers')
  .addOption(new Option('--place <where>', 'where').choices(['prompt', 'system']));
program.command('cache').addArgument(new Argument('[action]', 'what').choices(['show', 'prune']));

/** What bash offers after these words. */
function completed(...words: string[]): string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _evenkeel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', 'evenkeel', ...words], {
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter((word) => word !== '');
}

it('bash completes commands, flags, choices of flags and of arguments, and leaves files to the shell', () => {
  expect(completed('')).toEqual(['robustness', 'cache', '--help', '--version']);
  expect(completed('ro')).toEqual(['robustness']);
  expect(completed('robustness', '--')).toEqual(['--samples', '--place', '--quiet']);
  expect(completed('robustness', '--place', '')).toEqual(['prompt', 'system']);
  expect(completed('cache', 'p')).toEqual(['prune']);
  expect(completed('robustness', 'fi')).toEqual([]);
});

it('the scripts of zsh and fish hold the same words', () => {
  expect(completionScript(program, 'zsh')).toContain('bashcompinit');
  const fish = completionScript(program, 'fish');
  expect(fish).toContain(String.raw`-a robustness -d 'a prompt\'s answers'`);
  expect(fish).toContain(`-l place -d 'where' -x -a 'prompt system'`);
  expect(fish).toContain(`-a 'show prune'`);
});
