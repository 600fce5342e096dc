/** What attendants do: online, offline, and when they make a mistake. */
import { randomUUID } from 'node:crypto';
import { grantOf, type OfflineScan, type Stage, type TicketRow, ticketsOf } from './history.ts';

const DEVICES = [1, 2];
/** A number that no ticket has. The offline ticket list admits such numbers now and then. */
const UNKNOWN_NUMBER = '1000000000';

export async function someTicket(stage: Stage, isLikely: (ticket: TicketRow) => boolean): Promise<string | null> {
  const { random } = stage.history;
  const tickets = await ticketsOf(stage);
  const likely = tickets.filter(isLikely);
  const choice = random.chance(0.8) && likely.length > 0 ? likely : tickets;
  return choice.length > 0 ? random.pick(choice).confirmationNumber : null;
}

export const isValid = ({ state }: TicketRow) => state === 'valid';

/** Returns the scan that admitted the guest. */
export async function scanAt({ client, history }: Stage, number: string, device: number): Promise<string | null> {
  const scanId = randomUUID();
  const result = await client.scan(history, number, device, scanId);
  if (result.is !== 'done') return null;
  history.admitted.push({ number, grantId: grantOf(device), scanId });
  return scanId;
}

/** Scans a few guests offline. */
export async function scanOffline(stage: Stage): Promise<void> {
  for (let guests = stage.history.random.between(1, 3); guests > 0; guests--) await scanOneOffline(stage);
}

async function scanOneOffline(stage: Stage): Promise<void> {
  const { history, app } = stage;
  const { random } = history;
  const number = await someTicket(stage, isValid);
  if (!number) return;
  for (const device of random.chance(0.7) ? DEVICES : [random.pick(DEVICES)]) {
    const read = random.chance(0.05) ? UNKNOWN_NUMBER : number;
    history.unsynced.push({ scanId: randomUUID(), number: read, at: app.now().getTime(), device });
    history.log.push(`${read} is admitted offline by ${device}`);
  }
}

/** All devices sync at once. Some scans are sent twice, as when a response was lost. */
export async function syncAll(stage: Stage): Promise<void> {
  const { random, unsynced: waiting } = stage.history;
  const batches = DEVICES.flatMap((device) => {
    const scans = waiting.filter((scan) => scan.device === device);
    const times = random.chance(0.3) ? 2 : 1;
    return scans.length > 0 ? Array.from({ length: times }, () => ({ device, scans: random.shuffled(scans) })) : [];
  });
  await Promise.all(batches.map(({ device, scans }) => syncDevice(stage, scans, device)));
}

async function syncDevice({ client, history }: Stage, scans: readonly OfflineScan[], device: number): Promise<void> {
  const answer = await client.sync(history, scans, device);
  if (answer.is !== 'done') return;
  for (const { scanId, result } of answer.value.results) {
    const scan = scans.find((one) => one.scanId === scanId);
    const before = history.synced.get(scanId)?.result ?? result;
    if (before !== result) history.failures.push(`${scanId} was ${before}, and then ${result}`);
    if (scan) history.synced.set(scanId, { ...scan, result });
  }
  // Some devices lose the response and sync again.
  if (history.random.chance(0.8))
    history.unsynced = history.unsynced.filter(({ scanId }) => !history.synced.has(scanId));
}

/** With or without a concurrent scan of the same ticket. */
export async function scanAndUndo(stage: Stage): Promise<void> {
  const { random } = stage.history;
  const number = await someTicket(stage, isValid);
  const scanId = number && (await scanAt(stage, number, 1));
  if (!scanId) return;
  const meanwhile = random.pick([
    async () => {},
    () => scanAt(stage, number, 2),
    () => syncAll(stage),
    () => undoAt(stage, { scanId, number }, 1),
  ]);
  await Promise.all([undoAt(stage, { scanId, number }, 1), meanwhile()]);
}

async function undoAt(
  { client, history }: Stage,
  scan: { scanId: string; number: string },
  device: number,
): Promise<void> {
  const result = await client.undo(history, scan, device);
  // Without a response, the result is unknown.
  if (result.is === 'refused') return;
  history.admitted = history.admitted.filter(({ scanId }) => scanId !== scan.scanId);
}
