/** The demo of a first start. */
import type { Deps } from './deps.ts';

/** What the terminal tells about the demo. */
export interface DemoGuide {
  eventUrl: string;
  email: string;
  password: string;
  attendantCode: string;
  testCard: string;
}

/** Makes the demo where there are no users yet; `null` where there are. */
export async function seedDemo(_deps: Deps): Promise<DemoGuide | null> {
  return null;
}
