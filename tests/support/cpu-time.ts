/**
 * Milliseconds of CPU that this thread has used: what code costs, however busy the machine is. The kernel counts in steps of
 * up to 4 ms, so only differences of several steps mean something.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function cpuTimeOf(work: () => void): number {
  const since = cpuTimeMs();
  work();
  return cpuTimeMs() - since;
}
