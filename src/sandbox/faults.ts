/** Trouble on demand: calls that break, deliveries that go astray. Kept in memory, gone with the process. */

export const callFaults = [
  'error_before',
  'error_after',
  'drop_before',
  'drop_after',
  'slow',
  'status:429',
  'conflict',
  'truncate',
] as const;
export type CallFault = (typeof callFaults)[number];

export const webhookFaults = [
  'duplicate',
  'delay',
  'reorder',
  'drop',
  'bad_signature',
  'old_timestamp',
  'wrong_version',
] as const;
export type WebhookFault = (typeof webhookFaults)[number];

interface Planned {
  timesLeft: number;
  /** For `slow` and `delay`. */
  ms: number;
}
export interface PlannedCall extends Planned {
  match: { method?: string | undefined; path?: string | undefined };
  mode: CallFault;
}
export interface PlannedWebhook extends Planned {
  webhook: WebhookFault;
  match: { type?: string | undefined };
  /** For `duplicate`: how often one event arrives. */
  copies: number;
}

export class Faults {
  #calls: PlannedCall[] = [];
  #webhooks: PlannedWebhook[] = [];

  planCall(fault: PlannedCall): void {
    this.#calls.push(fault);
  }

  planWebhook(fault: PlannedWebhook): void {
    this.#webhooks.push(fault);
  }

  clear(): void {
    this.#calls = [];
    this.#webhooks = [];
  }

  /** What is to befall this call, used up by asking. The first that was planned comes first. */
  takeForCall(method: string, path: string): PlannedCall | null {
    return use(this.#calls.find((fault) => isLeft(fault) && isMeant(fault, method, path)));
  }

  takeForDelivery(mode: WebhookFault, eventType: string): PlannedWebhook | null {
    return use(
      this.#webhooks.find(
        (fault) => isLeft(fault) && fault.webhook === mode && fits(fault.match.type ?? '*', eventType),
      ),
    );
  }

  isPlanned(mode: WebhookFault): boolean {
    return this.#webhooks.some((fault) => isLeft(fault) && fault.webhook === mode);
  }

  pending(): object {
    return { calls: this.#calls.filter(isLeft), webhooks: this.#webhooks.filter(isLeft) };
  }
}

const isLeft = ({ timesLeft }: Planned) => timesLeft > 0;

function use<F extends Planned>(fault: F | undefined): F | null {
  if (fault) fault.timesLeft -= 1;
  return fault ?? null;
}

const isMeant = ({ match }: PlannedCall, method: string, path: string) =>
  (match.method ?? method).toUpperCase() === method && fits(match.path ?? '*', path);

/** `*` inside a pattern stands for one segment of a path; at its end, for whatever follows. */
function fits(pattern: string, text: string): boolean {
  const open = pattern.endsWith('*');
  const parts = (open ? pattern.slice(0, -1) : pattern).split('*').map((part) => part.replace(/[^\w/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}${open ? '' : '$'}`).test(text);
}
