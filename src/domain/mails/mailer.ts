/** Outcomes of this process's attempts to send mail, since it started. */
export type MailAttempts = Readonly<{ sent: number; refused: number; failed: number; given_up: number }>

/** Call `wake` after the transaction that queued a mail has committed. */
export type Mailer = Readonly<{ wake(): void; attempts(): MailAttempts }>
