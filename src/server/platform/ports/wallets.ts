/** Signs tickets for the wallets of phones. */
export interface Wallets {
  /** Null without keys: the wallet is offered nowhere. */
  apple: AppleWallet | null;
  google: GoogleWallet | null;
}

/** A ticket as it is now. A saved pass doesn't follow changes. */
export interface WalletTicket {
  /** A pass replaces the one that a wallet has with the same id. */
  id: string;
  eventId: string;
  title: string;
  /** Null if the organization has no name. */
  seller: string | null;
  startsAt: Date;
  endsAt: Date;
  timezone: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  ticketName: string;
  /** `Ticket 2 of 3` */
  position: string;
  confirmationNumber: string;
  /** Passes are passed on, so none leads to the order's page, where its tickets are refunded. */
  eventUrl: string;
}

export interface AppleWallet {
  /** @param picture a square of the event, in PNG */
  pass(ticket: WalletTicket, picture: Buffer): Promise<Buffer>;
}

export interface GoogleWallet {
  /** The address at Google that offers to save the ticket. */
  saveUrl(ticket: WalletTicket): Promise<string>;
}
