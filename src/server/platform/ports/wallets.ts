import type { VoidReason } from '#domain/sales/wallet-passes.ts';

/** Signs tickets for the wallets of phones, and tells wallets what has changed. */
export interface Wallets {
  /** Null without keys: the wallet is offered nowhere. */
  apple: AppleWallet | null;
  google: GoogleWallet | null;
}

/** What all passes of an event show. */
export interface WalletEvent {
  eventId: string;
  title: string;
  /** Null if the organization has no name. */
  seller: string | null;
  startsAt: Date;
  endsAt: Date;
  /** Null unless the organizer set it. */
  doorsAt: Date | null;
  timezone: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  venueName: string | null;
  /** Passes are passed on, so none leads to the order's page, where its tickets are refunded. */
  eventUrl: string;
}

/** A ticket as it is now. */
export interface WalletTicket extends WalletEvent {
  /** A pass replaces the one that a wallet has with the same id. */
  id: string;
  ticketName: string;
  /** `Ticket 2 of 3` */
  position: string;
  /** Null once the ticket has another holder. */
  confirmationNumber: string | null;
  /** Null if it admits. */
  voided: VoidReason | null;
}

/** Where a phone asks for the pass as it is now, and the token that it shows there. */
export interface PassUpdates {
  url: string;
  token: string;
}

/** `gone`: the wallet doesn't have it any more, or not yet. */
export type WalletAnswer = 'updated' | 'gone';

export interface AppleWallet {
  /** The type of all our passes, as the certificate names it. */
  passType: string;
  /**
   * @param picture a square of the event, in PNG
   * @param updates null: the pass stays as it is
   */
  pass(ticket: WalletTicket, picture: Buffer, updates: PassUpdates | null): Promise<Buffer>;
  /** Has phones ask for what has changed. Returns those that answered; a phone that isn't among them wasn't reached. */
  notify(pushTokens: readonly string[]): Promise<Map<string, WalletAnswer>>;
}

export interface GoogleWallet {
  /** The address at Google that offers to save the ticket. */
  saveUrl(ticket: WalletTicket): Promise<string>;
  updateEvent(event: WalletEvent): Promise<WalletAnswer>;
  updateTicket(ticket: WalletTicket): Promise<WalletAnswer>;
}
