import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AGENT_TOOLS } from '../compose/agentTools';
import { runRecordSchema } from '../contracts/runRecord';
import { promptFromFile } from '../prompts/promptFile';
import {
  COMMANDS,
  CONTEXT_KEYS,
  LANGUAGE_TOOLS,
  PROMPT_FILES,
  PROMPT_GLOB,
  REPORT_VIEW,
  SETTINGS,
  WALKTHROUGH,
} from './manifest';

interface MenuItem {
  command: string;
  when?: string;
}
interface Manifest {
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; title: string; category?: string; enablement?: string }[];
    menus: Record<string, MenuItem[]>;
    configuration: {
      properties: Record<
        string,
        { type: string; default: unknown; scope: string; markdownDescription: string }
      >;
    };
    languageModelTools: { name: string; modelDescription: string; inputSchema: object }[];
    walkthroughs: {
      id: string;
      steps: { description: string; media: { image: Record<string, string> } }[];
    }[];
  };
}
const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const manifestText = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const manifest = read('package.json') as Manifest;
const texts = read('package.nls.json') as Record<string, string>;
const { commands, menus, configuration, languageModelTools, walkthroughs } = manifest.contributes;

/** A command's line in the palette. */
function inPalette(id: string): string {
  const { title, category } = commands.find(({ command }) => command === id)!;
  return `${category === undefined ? '' : `${category}: `}${texts[title.replaceAll('%', '')]}`;
}

describe('package.json', () => {
  it('contributes the commands of the constants, with their titles', () => {
    expect(commands.map(({ command }) => [command, inPalette(command)])).toEqual(
      Object.values(COMMANDS).map(({ id, title }) => [id, `Evenkeel: ${title}`]),
    );
  });

  it('says whose a command is also where VS Code leaves the category out', () => {
    for (const item of ['editor/context', 'scm/title'].flatMap((menu) => menus[menu] ?? [])) {
      const { title } = commands.find(({ command }) => command === item.command)!;
      expect(texts[title.replaceAll('%', '')]).toMatch(/^Evenkeel: /);
    }
  });

  it('contributes the settings of the constants, with their defaults', () => {
    const contributed = Object.entries(configuration.properties).map(([key, entry]) => [key, entry.default]);
    expect(contributed).toEqual(Object.values(SETTINGS).map((setting) => [setting.key, setting.default]));
  });

  it('wakes up after the editor, for the lines above prompts and for checks that a reload cut off', () => {
    expect(manifest.activationEvents).toContain('onStartupFinished');
  });

  it('lets no untrusted workspace decide where a prompt is sent', () => {
    const connecting = Object.values(SETTINGS).flatMap(({ key, connects }) => (connects ? [key] : []));
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    expect(restrictedConfigurations.toSorted()).toEqual(connecting.toSorted());
    for (const key of connecting) expect(configuration.properties[key]?.scope).toBe('machine-overridable');
  });

  it('uses context keys that exist, and shows no command in a menu that it does not contribute', () => {
    const clauses = [
      ...commands.map(({ enablement }) => enablement ?? ''),
      ...Object.values(menus).flatMap((items) => items.map(({ when }) => when ?? '')),
    ];
    const used = new Set(clauses.flatMap((clause) => clause.match(/evenkeel\.\w+/g) ?? []));
    expect([...used].sort()).toEqual(Object.values(CONTEXT_KEYS).toSorted());
    const ids = new Set(commands.map(({ command }) => command));
    for (const item of Object.values(menus).flat()) expect(ids).toContain(item.command);
  });

  it('hides from the palette what cannot run', () => {
    const palette = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when]));
    for (const { command, enablement } of commands) {
      if (enablement !== undefined) expect(palette.get(command)).toContain(enablement);
    }
  });

  it('has no dead command: each is in the palette, and what needs something says so', () => {
    for (const item of menus['commandPalette'] ?? []) expect(item.when).not.toBe('false');
    const needsPrompt = ['checkRobustness', 'checkEdit', 'reviewPerturbations'] as const;
    for (const name of needsPrompt) {
      const item = menus['commandPalette']?.find(({ command }) => command === COMMANDS[name].id);
      expect(item?.when, name).toBe('editorIsOpen');
    }
  });

  it('describes every setting, with its type and a scope', () => {
    for (const [key, { type, scope, markdownDescription }] of Object.entries(configuration.properties)) {
      expect(type, key).toMatch(/^(string|integer|number|boolean|array)$/);
      expect(scope, key).toMatch(/^(machine|machine-overridable|resource|window)$/);
      expect(texts[markdownDescription.replaceAll('%', '')]?.length, key).toBeGreaterThan(20);
    }
  });

  it('offers agents the tools of compose, with their schemas', () => {
    expect(languageModelTools.map(({ name }) => name)).toEqual([...LANGUAGE_TOOLS]);
    expect(
      languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
        name,
        modelDescription,
        inputSchema,
      })),
    ).toEqual(
      Object.values(AGENT_TOOLS).map(({ name, description, input }) => {
        const { $schema, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
        expect($schema).toMatch(/json-schema/);
        return { name, modelDescription: description, inputSchema };
      }),
    );
  });

  it('has a walkthrough of four steps whose links and pictures exist', () => {
    const [walkthrough] = walkthroughs;
    expect(walkthrough?.id).toBe(WALKTHROUGH);
    expect(walkthrough?.steps).toHaveLength(4);
    const ids = new Set(commands.map(({ command }) => command));
    for (const { description, media } of walkthrough?.steps ?? []) {
      const links = [...(texts[description.replaceAll('%', '')] ?? '').matchAll(/command:([\w.]+)/g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, id = ''] of links) expect(ids).toContain(id);
      for (const file of Object.values(media.image)) {
        expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
      }
    }
  });

  it('knows prompt files by one list', () => {
    const suffixes = /\{(.*)\}/.exec(PROMPT_GLOB)?.[1]?.split(',') ?? [];
    expect(suffixes.length).toBeGreaterThan(8);
    const inMenus = (menus['editor/context'] ?? []).map(({ when = '' }) => /=~ \/(.*)\/$/.exec(when)?.[1]);
    for (const suffix of suffixes) {
      const name = suffix.replace('*', 'some');
      expect(PROMPT_FILES.test(`folder/${name}`), name).toBe(true);
      for (const pattern of inMenus) expect(new RegExp(pattern ?? '^$').test(name), name).toBe(true);
    }
  });

  it('ships a sample report of the sample prompt', () => {
    const record = runRecordSchema.parse(read('media/sample/report.json'));
    const text = readFileSync(new URL('../../media/sample/review.prompt', import.meta.url), 'utf8');
    expect(promptFromFile(text, 'review.prompt').text).toBe(record.prompt.text);
    expect(record.comparisons.some(({ verdict }) => verdict === 'changed')).toBe(true);
  });

  it('brings the report back after a reload', () => {
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${REPORT_VIEW}`);
  });

  it('has every text that it names, and names every text that it has', () => {
    const named = new Set([...manifestText.matchAll(/%([\w.]+)%/g)].map(([, key]) => key));
    expect([...named].sort()).toEqual(Object.keys(texts).sort());
  });
});
