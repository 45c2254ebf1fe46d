import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Words {
  name: string;
  description: string;
  flags: { flag: string; description: string; choices: readonly string[] }[];
  choices: readonly string[];
}

function wordsOf(program: Command): Words[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    flags: [...command.options, ...program.options].flatMap(({ long, description, argChoices }) =>
      long === undefined || long === null ? [] : [{ flag: long, description, choices: argChoices ?? [] }],
    ),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
}

/** A script that completes commands, flags and their choices, and files elsewhere; made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = wordsOf(program);
  if (shell === 'fish') return fish(commands);
  // zsh runs bash's completions.
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}` : bash(commands);
}

function bash(commands: Words[]): string {
  const cases = commands.flatMap(({ name, flags, choices }) => [
    ...flags
      .filter((flag) => flag.choices.length > 0)
      .map(({ flag, choices: values }) => `    ${name}:${flag}) words='${values.join(' ')}' ;;`),
    `    ${name}:*) case "$current" in -*) words='${flags.map(({ flag }) => flag).join(' ')}' ;; *) words='${choices.join(' ')}' ;; esac ;;`,
  ]);
  return [
    '_evenkeel() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=\'\'',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words='${commands.map(({ name }) => name).join(' ')} --help --version'`,
    '  else',
    '    case "${COMP_WORDS[1]}:$previous" in',
    ...cases.map((line) => `  ${line}`),
    '    esac',
    '  fi',
    '  local word',
    '  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")',
    '}',
    'complete -o default -F _evenkeel evenkeel',
    '',
  ].join('\n');
}

function fish(commands: Words[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
  return [
    ...commands.map(
      ({ name, description }) =>
        `complete -c evenkeel -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ),
    ...commands.flatMap(({ name, flags, choices }) => [
      ...flags.map(
        ({ flag, description, choices: values }) =>
          `complete -c evenkeel -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${quoted(description)}${values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ''}`,
      ),
      ...(choices.length > 0
        ? [`complete -c evenkeel -n '__fish_seen_subcommand_from ${name}' -a ${quoted(choices.join(' '))}`]
        : []),
    ]),
    '',
  ].join('\n');
}
