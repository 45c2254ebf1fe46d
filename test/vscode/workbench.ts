import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchUrl, type HostServer } from './host';

/** VS Code's workbench as a person uses it: palette, notifications, squiggles, the report panel. */
export interface Workbench {
  page: Page;
  /** Types `query` in the command palette and waits for a row that begins with `expected`; @returns the rows that it offers. */
  palette(query: string, expected: string): Promise<string[]>;
  /** Runs the one command whose title begins with `title`. */
  run(title: string): Promise<void>;
  /** Opens a file of the folder from the explorer. */
  show(file: string): Promise<void>;
  closeQuickInput(): Promise<void>;
  notification(text: RegExp): Locator;
  /** Closes what a test left open: notifications and editors. */
  tidy(): Promise<void>;
  squiggles(): Locator;
  report(): FrameLocator;
  reload(): Promise<void>;
}

export async function openWorkbench(
  page: Page,
  server: HostServer,
  options: { folder: string; file: string },
): Promise<Workbench> {
  const ready = () => page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: 60_000 });
  await page.goto(workbenchUrl(server, options.folder));
  await ready();
  // By name, as a person does: a file in the URL would be opened again after every reload, and nothing else.
  const show = async (name: string) => {
    await page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: name })
      .dblclick({ timeout: 30_000 });
    await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    // Our button is there as soon as VS Code knows what the extension contributes.
    await page.locator('.editor-actions [aria-label^="Evenkeel: Check Prompt Robustness"]').first().waitFor();
  };
  // In an untrusted folder VS Code asks first.
  const distrust = page.locator('.monaco-dialog-box').getByText("No, I don't trust the authors");
  await page
    .locator('.explorer-folders-view .monaco-list-row')
    .filter({ hasText: options.file })
    .waitFor({ timeout: 60_000 });
  if (await distrust.isVisible()) await distrust.click();
  await show(options.file);

  const input = page.locator('.quick-input-widget input').first();
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const closeQuickInput = async () => {
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  };
  const palette = async (query: string, expected: string) => {
    // The palette lists what is there when it opens; contexts such as the active editor may lag behind.
    for (let attempt = 0; attempt < 10; attempt++) {
      await page.keyboard.press('F1');
      await input.waitFor();
      await input.fill(`>${query}`);
      await page.waitForTimeout(400);
      const offered = await rows.allInnerTexts();
      if (offered.some((row) => row.startsWith(expected))) return offered;
      await closeQuickInput();
    }
    throw new Error(`the palette does not offer ${expected}`);
  };
  const run = async (title: string) => {
    await palette(title, title);
    await page.keyboard.press('Enter');
  };
  return {
    page,
    palette,
    show,
    closeQuickInput,
    run,
    notification: (text) => page.locator('.notification-toast').filter({ hasText: text }),
    async tidy() {
      await run('Notifications: Clear All Notifications');
      await run('View: Close All Editors');
    },
    squiggles: () => page.locator('.squiggly-warning'),
    report: () => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame'),
    async reload() {
      await palette('Developer: Reload Window', 'Developer: Reload Window');
      const loaded = page.waitForEvent('load', { timeout: 60_000 });
      await page.keyboard.press('Enter');
      await loaded;
      await ready();
    },
  };
}

/** What the content-security policy refused in any frame, from the console. */
export function policyViolations(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) found.push(message.text());
  });
  return found;
}
