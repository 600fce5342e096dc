/** Sends an email at least once. One sent again after a crash has the same `messageId`. */
export interface Mailer {
  send(email: Email): Promise<void>;
}

/** Why no email can be sent. `reason`: what the server or the network said, for operators. */
export type MailServerProblem = { kind: 'no-tls' | 'unreachable'; reason: string };

export interface Email {
  messageId: string;
  to: string;
  /** Shown with the sender's address, in place of its own name. */
  fromName?: string;
  /** Where answers go; otherwise to the sender's address. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments: readonly EmailAttachment[];
}

export interface EmailAttachment {
  fileName: string;
  contentType: string;
  content: Buffer;
  /** Lets the HTML embed the attachment as `cid:ID`. */
  contentId?: string;
}
