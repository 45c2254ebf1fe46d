import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS, CONTEXT_KEYS, PROMPT_LANGUAGES, REPORT_VIEW, SETTINGS } from './manifest';

interface MenuItem {
  command: string;
  when?: string;
}
interface Manifest {
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; title: string; category: string; enablement?: string }[];
    menus: Record<string, MenuItem[]>;
    configuration: {
      properties: Record<string, { default: unknown; scope: string; markdownDescription: string }>;
    };
  };
}
const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const manifestText = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const manifest = read('package.json') as Manifest;
const texts = read('package.nls.json') as Record<string, string>;
const { commands, menus, configuration } = manifest.contributes;

describe('package.json', () => {
  it('contributes the commands of the constants, with their titles', () => {
    const contributed = commands.map(({ command, title }) => [command, texts[title.replaceAll('%', '')]]);
    expect(contributed).toEqual(Object.values(COMMANDS).map(({ id, title }) => [id, title]));
    expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Evenkeel']));
  });

  it('contributes the settings of the constants, with their defaults', () => {
    const contributed = Object.entries(configuration.properties).map(([key, entry]) => [key, entry.default]);
    expect(contributed).toEqual(Object.values(SETTINGS).map((setting) => [setting.key, setting.default]));
  });

  it('wakes up for every language that prompts are found in', () => {
    for (const language of PROMPT_LANGUAGES) {
      expect(manifest.activationEvents).toContain(`onLanguage:${language}`);
    }
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

  it('brings the report back after a reload', () => {
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${REPORT_VIEW}`);
  });

  it('has every text that it names, and names every text that it has', () => {
    const named = new Set([...manifestText.matchAll(/%([\w.]+)%/g)].map(([, key]) => key));
    expect([...named].sort()).toEqual(Object.keys(texts).sort());
  });
});
