import * as z from 'zod';

const clock = z.object({ unix: z.number() });

/** Moves the one clock of product and sandbox, whatever is under way. Answers what it shows then, in seconds since 1970. */
export async function moveClock(sandboxUrl: string, seconds: number): Promise<number> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  if (!reply.ok) throw new Error(`the clock did not move: ${await reply.text()}`);
  return clock.parse(await reply.json()).unix;
}

/** Another process of the sandbox hears of a move a little later. */
export async function untilClockShows(sandboxUrl: string, unix: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const shown = clock.parse(await (await fetch(`${sandboxUrl}/_sandbox/clock`)).json()).unix;
    if (shown >= unix) return;
    if (Date.now() > deadline) throw new Error(`a clock shows ${shown}, and should show ${unix}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
