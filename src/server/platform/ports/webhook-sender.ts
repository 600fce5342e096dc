/** Calls the addresses that organizers give for their programs. */
export interface WebhookSender {
  /** Whether the address leads to the internet, as its name resolves now. */
  isAllowed(url: string): Promise<boolean>;
  /** Never rejects. */
  send(message: WebhookMessage): Promise<WebhookAnswer>;
}

export interface WebhookMessage {
  url: string;
  id: string;
  /** JSON. */
  body: string;
  /** Each signs. */
  secrets: readonly string[];
}

/** `refused`: the address leads to no place on the internet. `unreachable`: no connection. `silent`: no answer in time. */
export type SendProblem = 'refused' | 'unreachable' | 'silent';

export type WebhookAnswer = { ms: number } & (
  | { status: number; problem: null }
  | { status: null; problem: SendProblem }
);
