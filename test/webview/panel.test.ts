import { AxeBuilder } from '@axe-core/playwright';
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/contracts/protocolVersion';
import { UserError } from '../../src/contracts/userError';
import { hostMessageSchema, pageStateSchema, type HostMessage } from '../../src/contracts/webviewProtocol';
import { progressView } from '../../src/report/progressView';
import { toReportView } from '../../src/report/reportView';
import { buildRunRecord } from '../builders/runRecord';
import {
  buildPage,
  openChromium,
  openPanel,
  servePanel,
  themes,
  type OpenPage,
  type PanelHost,
  type Theme,
} from './pageUnderTest';

let browser: Browser;
let origin: string;
let server: Server;
beforeAll(async () => {
  buildPage();
  browser = await openChromium();
  ({ origin, server } = await servePanel());
});
afterAll(async () => {
  await browser.close();
  server.close();
});

type Options = Parameters<typeof openPanel>[2];
async function withPanel(
  options: Options,
  look: (opened: OpenPage & PanelHost) => Promise<void>,
): Promise<void> {
  const opened = await openPanel(browser, origin, options);
  try {
    await look(opened);
    expect(opened.violations).toEqual([]);
    expect(opened.errors).toEqual([]);
  } finally {
    await opened.context.close();
  }
}

const progress = (done: number, total: number, cancelling = false): HostMessage => ({
  type: 'progress',
  progress: progressView({
    title: 'urgency.prompt',
    modelId: 'local:qwen2.5-coder-0.5b',
    phase: 'sampling',
    done,
    total,
    secondsLeft: 40,
    cancelling,
    warnings: [],
    arms: [],
  }),
});

test('handshake, then the report; samples are asked for, a page at a time', async () => {
  const record = buildRunRecord();
  await withPanel({ record }, async ({ page, asked }) => {
    await page.waitForSelector('.sample');
    expect(asked[0]).toEqual({ method: 'ready', params: { protocol: PROTOCOL_VERSION, runId: null } });
    const samples = asked.filter(({ method }) => method === 'samples');
    expect(samples.map(({ params }) => params)).toEqual([
      { conditionId: 'baseline', offset: 0, limit: 5 },
      { conditionId: 'surface.trailing-space', offset: 0, limit: 5 },
    ]);
    expect(await page.content()).not.toContain('evenkeel-data');
  });
});

test.each(Object.keys(themes) as Theme[])('axe finds nothing in the editor’s theme %s', async (theme) => {
  await withPanel({ record: buildRunRecord(), theme }, async ({ page }) => {
    await page.waitForSelector('.sample');
    for (const summary of await page.locator('details.section > summary, .sure > summary').all()) {
      await summary.click();
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
  });
});

test('every message that the host sends here is one that the protocol knows', () => {
  const messages: HostMessage[] = [
    { type: 'show', view: toReportView(buildRunRecord()) },
    progress(3, 9),
    { type: 'empty' },
  ];
  for (const message of messages) expect(hostMessageSchema.parse(message)).toEqual(message);
});

test('progress counts, cancels once, and gives way to the report', async () => {
  await withPanel({}, async ({ page, send, asked }) => {
    await send(progress(40, 220));
    await page.getByText('40 of 220 answers').waitFor();
    const bar = page.getByRole('progressbar');
    expect(await bar.getAttribute('aria-valuenow')).toBe('40');
    expect(await bar.getAttribute('aria-valuemax')).toBe('220');
    expect(await page.locator('.rows').count()).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);

    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Stopping. Answers that have arrived are kept.').waitFor();
    expect(asked.filter(({ method }) => method === 'cancel')).toHaveLength(1);
    await send(progress(41, 220, true));
    await page.locator('vscode-button[disabled]').waitFor();
    await send({ type: 'show', view: toReportView(buildRunRecord({ scenario: 'cancelled' })) });
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
  });
});

test('what arrives fills rows that stand from the beginning: no jump, and no p-value before the end', async () => {
  const arms = (done: number) =>
    ['Baseline', 'Trailing space', 'Contraction'].map((name, i) => ({
      conditionId: name,
      name,
      total: 20,
      done: Math.max(0, done - i),
      failed: i === 2 && done > 3 ? 1 : 0,
      answers: new Map(done > i ? [['high\u202e <b>', done - i]] : []),
    }));
  const at = (done: number): HostMessage => ({
    type: 'progress',
    progress: progressView({
      title: 'urgency.prompt',
      modelId: 'local:qwen2.5-coder-0.5b',
      phase: 'sampling',
      done,
      total: 60,
      secondsLeft: null,
      cancelling: false,
      warnings: [],
      arms: arms(done),
    }),
  });
  await withPanel({}, async ({ page, send }) => {
    const places = () =>
      page.locator('.arms tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
    await send(at(0));
    await page.getByRole('heading', { name: 'What has arrived so far' }).waitFor();
    const before = await places();
    await send(at(12));
    await page.getByText('high⟨RLO⟩ <b> (12)').waitFor();
    expect(await places()).toEqual(before);
    expect(await page.locator('.arms').innerText()).toContain('10 of 20');
    const text = await page.locator('main').innerText();
    expect(text).toContain('Partial');
    expect(text).not.toMatch(/\bp\s*[=<]/);
    expect(await page.locator('[data-field="adjustedP"], .rows').count()).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});

test('no run yet, and a run that could not start', async () => {
  await withPanel({}, async ({ page, send }) => {
    await send({ type: 'empty' });
    await page.getByRole('heading', { name: 'No report yet' }).waitFor();
    await send({
      type: 'problem',
      error: { code: 'unknownModel', message: 'There is no model <b>x</b>.', hint: 'Pick another.' },
    });
    await page.getByText('There is no model <b>x</b>.').waitFor();
    expect(await page.getByText('Pick another.').count()).toBe(1);
  });
});

test('what the reader opened comes back after a reload', async () => {
  const record = buildRunRecord();
  const state = {
    runId: record.id,
    selected: 'rewording.synonym',
    openSections: ['sure', 'method'],
    query: { conditionId: null, outcome: null, answer: null, search: '' },
    openPiece: null,
    scrollY: 900,
  };
  await withPanel({ record, state }, async ({ page, asked }) => {
    await page.waitForSelector('.sample');
    expect(asked[0]?.params).toEqual({ protocol: PROTOCOL_VERSION, runId: record.id });
    expect(await page.locator('.row-open .row-toggle').textContent()).toBe('Synonym');
    expect(await page.locator('#method').getAttribute('open')).not.toBeNull();
    await expect.poll(() => page.evaluate('window.scrollY')).toBeGreaterThan(800);
  });
});

test('what the reader opens is kept', async () => {
  const record = buildRunRecord();
  await withPanel({ record }, async (panel) => {
    await panel.page.locator('.row-toggle').nth(2).click();
    await panel.page.locator('#method > summary').click();
    await panel.page.waitForSelector('#method[open]');
    await expect
      .poll(() => panel.kept())
      .toMatchObject({ runId: record.id, selected: 'persona.student', openSections: ['method'] });
    expect(pageStateSchema.safeParse(panel.kept()).success).toBe(true);
  });
});

test('failures of the host are told in the status line', async () => {
  const record = buildRunRecord();
  const handlers = {
    export: () => {
      throw new UserError('diskFull', 'The disk is full.', 'Make room and export again.');
    },
  };
  await withPanel({ record, handlers }, async ({ page, asked }) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The disk is full. Make room and export again.').waitFor();
    await page.getByRole('button', { name: 'Show in editor' }).click();
    await expect
      .poll(() => asked.find(({ method }) => method === 'reveal')?.params)
      .toEqual({
        span: record.perturbations[0]?.span,
      });
  });
});

test('a host of another version is told apart', async () => {
  await withPanel({ handlers: { ready: () => ({ protocol: PROTOCOL_VERSION + 1 }) } }, async ({ page }) => {
    await page.getByText('different versions').waitFor();
  });
});

test('the policy is at work: inline script, inline style and eval are refused, and no server can be asked (void #22)', async () => {
  const opened = await openPanel(browser, origin, { record: buildRunRecord() });
  await opened.page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.harmed = 1';
    document.body.append(script);
    document.body.setAttribute('style', 'color: red');
  })()`);
  await expect.poll(() => opened.violations.length).toBeGreaterThanOrEqual(2);
  expect(await opened.page.evaluate('window.harmed')).toBeUndefined();
  const before = opened.violations.length;
  const asked = `fetch('http://127.0.0.1:11434/api/tags').then(() => 'answered', () => 'refused')`;
  expect(await opened.page.evaluate(asked)).toBe('refused');
  await expect.poll(() => opened.violations.slice(before).join()).toContain('connect-src');
  await opened.context.close();
});
