import {setTimeout as sleep} from 'node:timers/promises';

/** Maximum milliseconds to wait for work in threads, and between two checks. */
const maxWaitMs = 2000;
const pollMs = 20;

/**
 * Ends the process. Exit waits for threads, and a thread that hangs in the system (a lost disk or name
 * server) never returns: after two seconds the process is killed.
 */
export async function endProcess(code: number): Promise<never> {
	for (let waitedMs = 0; hasThreadWork() && waitedMs < maxWaitMs; waitedMs += pollMs) await sleep(pollMs);
	if (hasThreadWork()) process.kill(process.pid, 'SIGKILL');
	return process.exit(code);
}

const hasThreadWork = (): boolean =>
	process.getActiveResourcesInfo().some(name => name.startsWith('FSReq') || name.startsWith('GetAddrInfo'));
