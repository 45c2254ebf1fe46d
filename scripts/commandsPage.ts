import type { Command, Option } from 'commander';

const cell = (text: string) => text.replaceAll('|', '\\|');

function optionRow({ flags, description, defaultValue, argChoices }: Option): string {
  const more = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`]),
    ...(defaultValue === undefined ? [] : [`default \`${String(defaultValue)}\``]),
  ];
  return `| \`${cell(flags)}\` | ${cell([description, ...more].join('; '))} |`;
}

/** docs/commands.md, from the commands themselves. */
export function commandsPage(program: Command): string {
  const sections = program.commands.map((command) => {
    const args = command.registeredArguments.map(
      (argument) =>
        `- \`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\`: ${argument.description}`,
    );
    return [
      `## ${command.name()}`,
      `${command.description().charAt(0).toUpperCase()}${command.description().slice(1)}.`.replace('?.', '?'),
      `\`evenkeel ${command.name()} ${command.usage()}\``,
      ...(args.length > 0 ? [args.join('\n')] : []),
      ...(command.options.length > 0
        ? [['| flag | meaning |', '| - | - |', ...command.options.map(optionRow)].join('\n')]
        : []),
    ].join('\n\n');
  });
  return [
    '# Commands',
    '<!-- Made from src/cli/main.ts by `npm run generate`: change it there. -->',
    'Exit codes: 0 steady, 1 wobbles or changed, 2 wrong usage, 3 undecided, 4 the model or its server failed, 130 stopped.',
    ['| flag of every command | meaning |', '| - | - |', ...program.options.map(optionRow)].join('\n'),
    ...sections,
    '',
  ].join('\n\n');
}
