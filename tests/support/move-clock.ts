import * as z from 'zod';

const clock = z.object({ unix: z.number() });

/** Offset of each sandbox's clock from real time, as moved by this process. */
const aheadMs = new Map<string, number>();

/** Time on the clock shared by server and sandbox, if only this process moves it. */
export const clockOf = (sandboxUrl: string) => new Date(Date.now() + (aheadMs.get(sandboxUrl) ?? 0));

/**
 * Moves the clock shared by server and sandbox, without waiting for running work. Returns its new time, in Unix
 * seconds.
 */
export const moveClock = (sandboxUrl: string, seconds: number): Promise<number> =>
  changeClock(sandboxUrl, { advance_seconds: seconds });

export const setClock = (sandboxUrl: string, at: Date): Promise<number> =>
  changeClock(sandboxUrl, { set: at.toISOString() });

async function changeClock(sandboxUrl: string, change: object): Promise<number> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  if (!reply.ok) throw new Error(`the clock did not move: ${await reply.text()}`);
  const { unix } = clock.parse(await reply.json());
  aheadMs.set(sandboxUrl, unix * 1000 - Date.now());
  return unix;
}

/** Other sandbox processes follow a move a little later. */
export async function untilClockShows(sandboxUrl: string, unix: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const shown = clock.parse(await (await fetch(`${sandboxUrl}/_sandbox/clock`)).json()).unix;
    if (shown >= unix) return;
    if (Date.now() > deadline) throw new Error(`a clock shows ${shown}, and should show ${unix}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
