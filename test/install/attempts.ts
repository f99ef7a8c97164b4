let failures = 0;

/**
 * Does one part of a campaign, and prints its label with the result or the error, and the seconds that it took. The exit code
 * of the process is 1 afterwards if any part failed.
 */
export async function attempt(label: string, work: () => Promise<string>): Promise<void> {
  const start = performance.now();
  try {
    const result = await work();
    console.log(`${label}: ${result} after ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    failures += 1;
    console.log(`${label}: failed\n${error instanceof Error ? error.message : error}`);
  }
  process.exitCode = failures === 0 ? 0 : 1;
}
