/** What a browser reports when a page breaks its own policy. Collected over every page of every window that a test opens. */
import type { Browser, BrowserContext } from '@playwright/test';

const OF_THE_POLICY =
  /content security policy|securitypolicyviolation|trusted ?(?:type|html|script)|permissions policy/i;

/** Answers the list to which every report is added, for as long as the browser runs. */
export function watchPolicy(browser: Browser): string[] {
  const reports: string[] = [];
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await watchContext(context, reports);
    return context;
  };
  return reports;
}

/** For a window that is no browser's guest: one with a profile of its own. */
export async function watchContext(context: BrowserContext, reports: string[]): Promise<void> {
  context.on('console', (message) => {
    if (OF_THE_POLICY.test(message.text())) reports.push(`${message.page()?.url() ?? ''}: ${message.text()}`);
  });
  // A violation that a script has caught and kept from the console still is one.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber, sample }) =>
      globalThis.console.error(
        `securitypolicyviolation: ${[effectiveDirective, blockedURI, sourceFile, lineNumber, sample].join(' ')}`,
      ),
    );
  });
}
