/** Business time. In production the system's; the sandbox and tests may move it forward. */
export interface Clock {
  now(): Date;
}
