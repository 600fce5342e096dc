/** Violations of a page's security policy, collected over every page that a test opens. */
import type { Browser, BrowserContext } from '@playwright/test';

const POLICY_VIOLATION =
  /content security policy|securitypolicyviolation|trusted ?(?:type|html|script)|permissions policy/i;

/** Returns the list that collects all reports while the browser runs. */
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

/** For contexts that are not created by `browser.newContext`, such as one with a persistent profile. */
export async function watchContext(context: BrowserContext, reports: string[]): Promise<void> {
  context.on('console', (message) => {
    if (POLICY_VIOLATION.test(message.text())) reports.push(`${message.page()?.url() ?? ''}: ${message.text()}`);
  });
  // Reports violations that a script caught before they reached the console.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber, sample }) =>
      globalThis.console.error(
        `securitypolicyviolation: ${[effectiveDirective, blockedURI, sourceFile, lineNumber, sample].join(' ')}`,
      ),
    );
  });
}
