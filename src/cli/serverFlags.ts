import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ServerOptions } from '../compose/evenkeel';

/** Flags of every command that asks a server. */
export interface ServerFlags {
  endpoint?: Record<string, string>;
  /** Names of endpoints. */
  keyOverHttp?: string[];
  concurrency?: number;
  /** Seconds. */
  timeout?: number;
  firstTokenTimeout?: number;
  perRequest?: number;
  execution?: 'batch' | 'live';
  /** False with --no-cache. */
  cache?: boolean;
}

export function keyValue(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function between(least: number, most: number, whole: boolean) {
  return (text: string): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= least && value <= most && (!whole || Number.isInteger(value));
    if (!fits)
      throw new InvalidArgumentError(`Give a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`);
    return value;
  };
}

/** `--endpoint` and what lets its key go there. */
export function addEndpointFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--endpoint <name=url>',
        'an OpenAI-compatible server, then used as --model name:model; its key, if it wants one, is taken from EVENKEEL_KEY_<NAME>',
      ).argParser(keyValue),
    )
    .addOption(
      new Option(
        '--key-over-http <name>',
        'let the key of this endpoint go unencrypted to another machine; repeat for more',
      ).argParser((names, before: string[] | undefined) => [...(before ?? []), ...names.split(',')]),
    );
}

/** The same, and how its servers are asked. */
export function addServerFlags(command: Command): Command {
  return addEndpointFlags(command)
    .option(
      '--concurrency <n>',
      'requests side by side at most; how many suit the server is measured',
      between(1, 1_024, true),
    )
    .option(
      '--timeout <seconds>',
      'for one whole answer, from when it is asked for',
      between(0.1, 86_400, false),
    )
    .option(
      '--first-token-timeout <seconds>',
      'until an answer begins; a local model may load for longer at first',
      between(0.1, 86_400, false),
    )
    .option('--no-cache', 'keep no answers for later runs, and use none');
}

export function serverOptionsOf(flags: ServerFlags): ServerOptions {
  const ms = (seconds: number) => Math.round(seconds * 1000);
  return {
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    ...(flags.perRequest === undefined ? {} : { answersPerRequest: flags.perRequest }),
    limits: {
      ...(flags.timeout === undefined ? {} : { totalMs: ms(flags.timeout) }),
      ...(flags.firstTokenTimeout === undefined ? {} : { firstTokenMs: ms(flags.firstTokenTimeout) }),
    },
  };
}

/** `--execution`, of commands that can wait a day. */
export function addExecutionFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--execution <way>',
      'batch: as one job of the server, done within a day, for half the price at OpenAI',
    ).choices(['live', 'batch']),
  );
}

export const executionOf = ({ execution }: Pick<ServerFlags, 'execution'>): 'batch' | undefined =>
  execution === 'batch' ? execution : undefined;
