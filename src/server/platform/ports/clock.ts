/** Business time. In production it is real time; the sandbox and tests can move it forward. */
export interface Clock {
  now(): Date;
}
