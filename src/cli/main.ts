/** Composition root of the command line: flags in, exit code out. */
import path from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import { exportFormatSchema } from '../contracts/exportFormat';
import { multiplicitySchema, publishedStatisticSchema } from '../contracts/testOptions';
import { toUserError } from '../contracts/userError';
import type { CacheAction } from './commands/cache';
import type { HookAction } from './commands/hook';
import { addBudgetFlags } from './budgetFlags';
import { completionScript, SHELLS, type Shell } from './completion';
import type { CliContext } from './context';
import { exportTarget } from './exportTargets';
import { EXIT, exitCodeOfError } from './exitCodes';
import { addEndpointFlags, addExecutionFlag, addServerFlags, between, keyValue } from './serverFlags';
import { createTerminal } from './terminal';
import { listed, realNumber, wholeNumber } from './flagValues';
import { watchInterrupts } from './interrupts';
import { usageError } from './usageError';
import { toPrintable } from '../report/visibleText';

declare const __EVENKEEL_VERSION__: string;

interface GlobalFlags {
  quiet?: boolean;
  verbose?: boolean;
}

const PROMPT_ARGUMENT =
  'prompt file; FILE:LINE takes the part around a line, FILE#NAME a prompt in code; - reads standard input';

/** All commands with their flags. @param run opens and closes what a command needs */
export function createProgram(
  run: (command: Command, work: (context: CliContext) => Promise<number>) => Promise<void>,
) {
  const program = new Command('evenkeel')
    .description('Is this prompt robust? Perturbs it, samples a real model, and tests what moved.')
    .version(__EVENKEEL_VERSION__)
    .option('--quiet', 'no progress, only the result')
    .option('--verbose', 'say what is going on, with causes of errors')
    .configureHelp({ helpWidth: 80 })
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
    .exitOverride();
  addExecutionFlag(addBudgetFlags(addServerFlags(program.command('robustness'))))
    .description('check whether harmless changes to a prompt move the answers of a model')
    .argument('[file]', `${PROMPT_ARGUMENT}; all of evenkeel.yaml when left out`)
    .option('--config <file>', 'suite file (the nearest evenkeel.yaml)')
    .option('--model <id>', 'model to ask (evenkeel models lists them)')
    .option('--samples <n>', 'answers per prompt', wholeNumber)
    .option('--seed <n>', 'repeats a run exactly', wholeNumber)
    .option('--fresh', 'draw new answers, not those that the same check drew before')
    .option('--var <name=value>', 'value of a variable of the prompt; repeat for more', keyValue)
    .option('--system <text>', 'system message')
    .option('--temperature <t>', 'sampling temperature', realNumber)
    .option('--answer-tokens <n>', 'how many tokens of each answer are compared', wholeNumber)
    .option('--whole-answers', 'an answer that reaches --answer-tokens counts as cut off, not as read')
    .option('--limit <n>', 'how many changes to try at most', between(1, 1000, true))
    .option('--alpha <level>', 'level of the test', realNumber)
    .option('--stop-early', 'test while answers come in, and stop asking where a change is decided')
    .option('--looks <n>', 'the same with so many looks, 2 to 10 (3)', between(2, 10, true))
    .addOption(
      new Option('--statistic <name>', 'one statistic as published decides, not the whole family').choices([
        'family',
        ...publishedStatisticSchema.options,
      ]),
    )
    .option('--permutations <n>', 'permutations of the test (9999; as published 1000)', wholeNumber)
    .addOption(
      new Option('--adjust <method>', 'correction over the changes (holm; as published bonferroni)').choices(
        multiplicitySchema.options,
      ),
    )
    .option('--repeat-arm', 'ask the unchanged prompt twice: a real noise floor, one condition more')
    .option(
      '--per-request <n>',
      'answers that one request asks for, where the server is seen to give them; their seeds are not their own then',
      between(1, 128, true),
    )
    .option('--margin <effect>', 'an effect surely below this is called the same', realNumber)
    .option('--dry-run', 'show the changes and the plan, ask no model')
    .option('--json', 'the run record as JSON on standard output')
    .option('--report <path>', 'write the report as one HTML file')
    .action((file: string | undefined, flags, command: Command) =>
      run(command, async (context) =>
        (await import('./commands/robustness')).robustness(context, file, flags),
      ),
    );

  addExecutionFlag(addBudgetFlags(addServerFlags(program.command('check'))))
    .description('did an edit change the answers of a model, and by more than a harmless rewording would?')
    .argument('[paths...]', 'prompt files or folders; all changed prompts when left out')
    .option('--config <file>', 'suite file (the nearest evenkeel.yaml)')
    .addOption(new Option('--hook', 'as the pre-commit hook calls it').hideHelp())
    .option('--against <ref>', 'compare with this commit, branch or tag (HEAD)')
    .option('--staged', 'check what is staged, not what is in the working tree')
    .option('--base <file>', 'compare with this file; no git needed')
    .option('--model <id>', 'model to ask (evenkeel models lists them)')
    .option('--writer <id>', 'model that writes the harmless rewordings; rules do when left out')
    .option('--rewordings <n>', 'how many to compare with (what --alpha needs: 19 at .05)', wholeNumber)
    .option('--samples <n>', 'answers per prompt', wholeNumber)
    .option('--seed <n>', 'repeats a run exactly', wholeNumber)
    .option('--fresh', 'draw new answers, not those that the same check drew before')
    .option('--var <name=value>', 'value of a variable of the prompt; repeat for more', keyValue)
    .option('--system <text>', 'system message')
    .option('--temperature <t>', 'sampling temperature', realNumber)
    .option('--answer-tokens <n>', 'how many tokens of each answer are compared', wholeNumber)
    .option('--whole-answers', 'an answer that reaches --answer-tokens counts as cut off, not as read')
    .option('--alpha <level>', 'level of the test', realNumber)
    .option('--margin <effect>', 'an effect surely below this is called the same', realNumber)
    .option('--dry-run', 'show the rewordings and the plan, ask no model')
    .option('--json', 'the run records as a JSON list on standard output')
    .option('--report <path>', 'write the report as one HTML file')
    .option(
      '--export <path>',
      'write the result: JUnit (.xml), SARIF (.sarif), Markdown (.md) or JSON; repeat for more',
      exportTarget,
    )
    .action((paths: string[], flags, command: Command) =>
      run(command, async (context) => (await import('./commands/check')).check(context, paths, flags)),
    );

  addBudgetFlags(addServerFlags(program.command('compare')))
    .description('which of several models is steadier on the same prompts and changes?')
    .argument('<files...>', 'prompt files; FILE:LINE takes the part around a line')
    .requiredOption('--models <ids>', 'models to compare, with commas between', listed)
    .option('--reference <id>', 'test how each model behaves against this one only')
    .option('--samples <n>', 'answers per prompt and model', wholeNumber)
    .option('--seed <n>', 'repeats a comparison exactly', wholeNumber)
    .option('--fresh', 'draw new answers, not those that the same comparison drew before')
    .option('--var <name=value>', 'value of a variable of the prompts; repeat for more', keyValue)
    .option('--system <text>', 'system message')
    .option('--temperature <t>', 'sampling temperature', realNumber)
    .option('--answer-tokens <n>', 'how many tokens of each answer are compared', wholeNumber)
    .option('--whole-answers', 'an answer that reaches --answer-tokens counts as cut off, not as read')
    .option('--limit <n>', 'how many changes of each prompt to try at most', between(1, 1000, true))
    .option('--alpha <level>', 'level of the tests', realNumber)
    .option('--margin <effect>', 'a difference surely below this is a tie (0.05)', realNumber)
    .option('--dry-run', 'show the plan, ask no model')
    .option('--json', 'the record as JSON on standard output')
    .option('--report <path>', 'write the report as one HTML file')
    .action((files: string[], flags, command: Command) =>
      run(command, async (context) => (await import('./commands/compare')).compare(context, files, flags)),
    );

  addServerFlags(program.command('flips'))
    .description('how easily answers flip, by the strength of the change')
    .argument('[file]', PROMPT_ARGUMENT)
    .option('--perturbations <set>', 'perturbations of the prompt, as `evenkeel perturb` writes them')
    .option('--questions <jsonl>', 'a multiple-choice set in place of a prompt')
    .option('--resume <run>', 'go on with a run that stopped, or show one again')
    .option('--against <run>', 'compare with another run on the same changes; repeat for more', listed)
    .option('--model <id>', 'model to ask (evenkeel models lists them)')
    .option('--seed <n>', 'repeats a run exactly', wholeNumber)
    .option('--fresh', 'draw new answers, not those that the same check drew before')
    .option(
      '--limit <n>',
      'how many changes of the prompt, or questions of the set',
      between(1, 100_000, true),
    )
    .option('--kinds <list>', 'kinds of change: surface, rewording, mistake, persona, length, cot', listed)
    .option('--levels <list>', 'strengths that every question is changed by (0,3)', listed)
    .option('--cot-steps <list>', 'of cot: steps that get a mistake, in turn; 0: all reworded (0,1)', listed)
    .option('--options <list>', 'the answers that the prompt allows: Yes,No', listed)
    .option('--answer-pattern <regex>', 'finds the answer in the reply; its first group counts')
    .option('--var <name=value>', 'value of a variable of the prompt; repeat for more', keyValue)
    .option('--system <text>', 'system message')
    .option('--temperature <t>', 'above 0: answers are sampled, the original twice', realNumber)
    .option('--answer-tokens <n>', 'length of an answer that is read from text', wholeNumber)
    .option('--as-text', 'read answers from text, not from first-token probabilities')
    .option('--report <path>', 'write the report as one HTML file')
    .option('--compare-types', 'refused: changes of prompt and of reasoning do not compare')
    .option('--dry-run', 'show what would be asked, ask no model')
    .option('--json', 'the run record as JSON on standard output')
    .action((file: string | undefined, flags, command: Command) =>
      run(command, async (context) => (await import('./commands/flips')).flips(context, file, flags)),
    );

  addServerFlags(program.command('perturb'))
    .description(
      'write the perturbations of a prompt, with their strength, as a YAML file to be reviewed and edited',
    )
    .argument('<file>', PROMPT_ARGUMENT)
    .option('--judge <id>', 'model that rates the strength; a large one')
    .option('--writer <id>', 'model that writes rewordings and mistakes; rules do when left out')
    .option('--model <id>', 'model under test: its reasoning is what the kind cot perturbs')
    .option('--kinds <list>', 'with commas: surface, rewording, mistake, persona, length, cot')
    .option('--cot-steps <list>', 'of cot: steps that get a mistake, in turn; 0: all reworded (0,1)', listed)
    .option(
      '--custom <yaml>',
      'perturbations of your own: a list of texts, or patterns with their replacement',
    )
    .addOption(
      new Option('--persona-in <place>', 'where a persona is put')
        .choices(['prompt', 'system'])
        .default('prompt'),
    )
    .option(
      '--typo-rate <share>',
      'share of long words that are mistyped, in place of 0.05 and 0.2',
      realNumber,
    )
    .option('--limit <n>', 'how many perturbations at most', between(1, 1000, true))
    .option('--ratings <n>', 'ratings of each perturbation; the level is their median', wholeNumber)
    .option('--seed <n>', 'the same seed gives the same set', wholeNumber)
    .option('--fresh', 'make another set than before')
    .option('--var <name=value>', 'value of a variable, for the judge; repeat for more', keyValue)
    .action((file: string, flags, command: Command) =>
      run(command, async (context) => (await import('./commands/perturb')).perturb(context, file, flags)),
    );

  program
    .command('agreement')
    .description('how far the judge agrees with the ratings that you relabelled in perturbation sets')
    .argument('<set...>', 'perturbation sets (YAML)')
    .option('--json', 'as JSON')
    .action((files: string[], flags, command: Command) =>
      run(command, async (context) =>
        (await import('./commands/agreement')).agreement(context, files, flags),
      ),
    );

  addServerFlags(program.command('resume'))
    .description('go on with a check that was stopped, from the answers that are kept of it')
    .argument('<run>', 'id of the run')
    .option('--json', 'the run record as JSON on standard output')
    .option('--report <path>', 'write the report as one HTML file')
    .action((id: string, flags, command: Command) =>
      run(command, async (context) => (await import('./commands/resume')).resume(context, id, flags)),
    );

  addServerFlags(program.command('mcp'))
    .description('serve the checks to agents, by the Model Context Protocol over standard input and output')
    .option('--model <id>', 'model that is asked where an agent names none')
    .option('--allow-paid', 'agents may start checks that cost money, or that may')
    .action((flags, command: Command) =>
      run(command, async (context) => (await import('./commands/mcp')).mcp(context, flags)),
    );

  program
    .command('prompts')
    .description('list the prompts that are found in files: whole files, source code, promptfoo, notebooks')
    .argument('[files...]', 'files, folders or globs; this folder when left out')
    .option('--json', 'as JSON, with the texts')
    .action((files: string[], flags, command: Command) =>
      run(command, async (context) => (await import('./commands/prompts')).prompts(context, files, flags)),
    );

  program
    .command('cache')
    .description('show the answers that are kept for later runs, check them, or remove some')
    .addArgument(new Argument('[action]', 'what to do').choices(['show', 'verify', 'prune']).default('show'))
    .option('--older-than <days>', 'prune: remove answers older than this', realNumber)
    .option('--max-size <megabytes>', 'prune: remove the oldest until so much is left', realNumber)
    .option('--json', 'as JSON')
    .action((action: CacheAction, flags, command: Command) =>
      run(command, async (context) => (await import('./commands/cache')).cache(context, action, flags)),
    );

  addEndpointFlags(program.command('init'))
    .description('write an evenkeel.yaml for this repository from what is found in it')
    .option('--force', 'write over the one that is there')
    .action((flags, command: Command) =>
      run(command, async (context) => (await import('./commands/init')).init(context, flags)),
    );
  program
    .command('hook')
    .description('check staged prompts before each commit: git, husky, lefthook, pre-commit')
    .addArgument(new Argument('<action>', 'what to do').choices(['install', 'remove', 'status']))
    .action((action: HookAction, _flags, command: Command) =>
      run(command, async (context) => (await import('./commands/hook')).hook(context, action)),
    );
  addEndpointFlags(program.command('models'))
    .description('list the models that can be asked from here')
    .option('--json', 'as JSON')
    .action((flags, command: Command) =>
      run(command, async (context) => (await import('./commands/models')).models(context, flags)),
    );

  program
    .command('report')
    .description('show a kept run again, or write its report')
    .argument('[run]', 'id of a run; the last one when left out')
    .addOption(
      new Option('--format <format>', 'what to write (csv: the answers, perturbations: the changes)')
        .choices(['text', ...exportFormatSchema.options, 'md'])
        .default('text'),
    )
    .option('--against <run>', 'hold it against another run of the same prompt')
    .option('--redact', 'leave out every text of prompt and answers')
    .option('--output <path>', 'where to write it; standard output when left out')
    .option('--list', 'list the kept runs')
    .action((id: string | undefined, flags, command: Command) =>
      run(command, async (context) => (await import('./commands/report')).report(context, id, flags)),
    );

  addEndpointFlags(program.command('doctor'))
    .description('say what works here, what does not, and what to do about it')
    .option('--json', 'as JSON')
    .action((flags, command: Command) =>
      run(command, async (context) => (await import('./commands/doctor')).doctor(context, flags)),
    );

  program
    .command('completion')
    .description('write the script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell, _flags: object, command: Command) =>
      run(command, ({ terminal }) => {
        terminal.out(completionScript(program, shell).trimEnd());
        return Promise.resolve(EXIT.policyMet);
      }),
    );
  return program;
}

/** Runs the command of this process. @returns its exit code */
export async function main(): Promise<number> {
  leaveGoneFolder();
  let exitCode: number = EXIT.policyMet;
  let unwritten: NodeJS.ErrnoException | null = null;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away (evenkeel … | head) is not an error. Either way the run ends, is kept and reported.
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
  // What cannot be told must not end what is being measured.
  process.stderr.on('error', () => undefined);
  const program = createProgram(async (command, work) => {
    const globals = command.optsWithGlobals<GlobalFlags>();
    const terminal = createTerminal(process.stdout, process.stderr, process.env, {
      quiet: globals.quiet === true,
      nowMs: () => performance.now(),
    });
    const interrupts = watchInterrupts((times) => {
      if (times > 1) {
        terminal.settle();
        process.exit(EXIT.cancelled);
      }
      terminal.note('Stopping. What was received is kept and tested; press Ctrl-C again to quit now.');
    });
    try {
      exitCode = await work({
        terminal,
        version: __EVENKEEL_VERSION__,
        env: process.env,
        distDir: __dirname,
        signal: interrupts.signal,
        verbose: globals.verbose === true,
      });
    } catch (thrown) {
      const error = toUserError(thrown);
      terminal.note(
        `${terminal.colors.red('error')}  ${toPrintable(error.message)}\nnext   ${toPrintable(error.hint)}`,
      );
      if (globals.verbose === true && error.cause !== undefined)
        terminal.note(toPrintable(String(error.cause)));
      exitCode = interrupts.signal.aborted ? EXIT.cancelled : exitCodeOfError(error.code);
    } finally {
      interrupts.stop();
    }
  });
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.policyMet : EXIT.usage;
  }
  await flushed(process.stdout);
  if (unwritten === null) return exitCode;
  process.stderr.write(
    `error  The result cannot be written to standard output (${(unwritten as NodeJS.ErrnoException).code}).\nnext   Runs are kept: \`evenkeel report\` shows the last one again.\n`,
  );
  return EXIT.provider;
}

/** What was written is on its way, or has failed; a stream that is gone counts as failed. */
const flushed = (stream: NodeJS.WriteStream) =>
  new Promise<void>((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write('', () => resolve());
  });

/** Libraries that only ask where they are break in a folder that is gone; a relative path means nothing there anyway. */
function leaveGoneFolder(): void {
  try {
    process.cwd();
  } catch {
    process.chdir(path.parse(process.execPath).root);
  }
}
