/** Moves the one clock of product and sandbox, whatever is under way. */
export async function moveClock(sandboxUrl: string, seconds: number): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  if (!reply.ok) throw new Error(`the clock did not move: ${await reply.text()}`);
}
