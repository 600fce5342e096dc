/**
 * CPU milliseconds of this thread: the cost of code, independent of load. The kernel counts in steps of up to 4 ms, so
 * only differences of several steps are meaningful.
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
